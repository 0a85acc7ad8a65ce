// internal
import { baseStyles } from "./base.js";
import { componentStyles } from "./components.js";
import { themeStyles } from "./theme.js";
import { printStyles, transcriptStyles } from "./transcript.js";

/** The style sheet of every page. */
export const pageStyles = [themeStyles, baseStyles, componentStyles, transcriptStyles, printStyles]
  .join("")
  .replace(/\n+/g, "\n");
