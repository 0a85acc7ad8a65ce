import { ReviewerFault, type ReviewBackend } from "../backend.js";

/** Returns the backend that says that there is no reviewer. */
export function createNoneBackend(): ReviewBackend {
  return {
    kind: "none",
    settings: {},
    canRepair: false,
    openSession: () =>
      Promise.reject(
        new ReviewerFault(
          "unavailable",
          "reviewer-missing",
          "No reviewer is configured, so nobody reviewed the document",
        ),
      ),
  };
}
