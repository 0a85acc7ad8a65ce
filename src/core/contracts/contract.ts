/** One promise of a contract, checked on one implementation. */
export interface ContractCheck {
  /** A sentence that says what holds. */
  readonly name: string;
  /** Resolves when it holds; throws an error that says what was expected and what was found. */
  run(): Promise<void>;
}
