/** A page beside this one. */
export interface RelatedPage {
  readonly name: string;
  /** Absent for the page itself. */
  readonly href?: string;
}
