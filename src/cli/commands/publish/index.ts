import type { Command } from "@commander-js/extra-typings";
import type { CliSession } from "../../session.js";
import { addAllCommand, addDraftCommand, addSiteCommand } from "./all.js";
import {
  addAuditCommand,
  addGateCommand,
  addImportAuditCommand,
  addResidueCommand,
  addTriageCommand,
  addVerifyCommand,
} from "./audit.js";
import { addCheckHtmlCommand } from "./check-html.js";
import { addCitesCommand } from "./cites.js";
import { addClaimsCommand } from "./claims.js";
import { addCodeCommand } from "./code.js";
import { addLintCommand, addParityCommand } from "./lint.js";
import { addInventoryCommand, addNewCommand, addRenderCommand } from "./render.js";
import { addProbeCommand, addReviewCommand } from "./review.js";

/** Adds `turnwise publish` with its commands. */
export function addPublish(program: Command, session: CliSession): void {
  const publish = program.command("publish").description("turn Markdown and evidence into a reviewed page");
  addAllCommand(publish, session);
  addNewCommand(publish, session);
  addDraftCommand(publish, session);
  addInventoryCommand(publish, session);
  addLintCommand(publish, session);
  addCodeCommand(publish, session);
  addParityCommand(publish, session);
  addRenderCommand(publish, session);
  addCheckHtmlCommand(publish, session);
  addClaimsCommand(publish, session);
  addCitesCommand(publish, session);
  addReviewCommand(publish, session);
  addTriageCommand(publish, session);
  addResidueCommand(publish, session);
  addProbeCommand(publish, session);
  addAuditCommand(publish, session);
  addGateCommand(publish, session);
  addVerifyCommand(publish, session);
  addImportAuditCommand(publish, session);
  addSiteCommand(publish, session);
}
