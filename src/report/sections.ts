// internal
import type { ReportSection } from "./section.js";
import { adaptationSection } from "./sections/adaptation.js";
import { curvesSection } from "./sections/curves.js";
import { denominatorsSection } from "./sections/denominators.js";
import { differenceSection } from "./sections/difference.js";
import { dynamicsSection } from "./sections/dynamics.js";
import { episodesSection } from "./sections/episodes.js";
import { evidenceSection } from "./sections/evidence.js";
import { exchangeSection } from "./sections/exchange.js";
import { figuresSection } from "./sections/figures.js";
import { gridSection } from "./sections/grid.js";
import { incidenceSection } from "./sections/incidence.js";
import { likelihoodSection } from "./sections/likelihood.js";
import { methodSection } from "./sections/method.js";
import { recoverySection } from "./sections/recovery.js";
import { signalsSection } from "./sections/signals.js";
import { stepsSection } from "./sections/steps.js";
import { stopsSection } from "./sections/stops.js";
import { tasksSection } from "./sections/tasks.js";
import { whySection } from "./sections/why.js";

/** The sections of a report in the order they are read. A new section is one file and one line here. */
export const reportSections: readonly ReportSection[] = [
  figuresSection,
  curvesSection,
  differenceSection,
  whySection,
  recoverySection,
  stepsSection,
  dynamicsSection,
  signalsSection,
  likelihoodSection,
  gridSection,
  exchangeSection,
  adaptationSection,
  stopsSection,
  incidenceSection,
  tasksSection,
  denominatorsSection,
  episodesSection,
  methodSection,
  evidenceSection,
];
