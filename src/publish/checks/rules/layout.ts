// internal
import { decide, notApplicable, problemAt } from "../judgement.js";
import type { RenderCheck } from "../render-check.js";

export const responsiveCheck: RenderCheck = {
  id: "R21",
  name: "responsive",
  weight: "quality",
  description:
    "At 320, 375, 768 and 1280 pixels nothing is wider than the window; wide blocks scroll inside themselves",
  judge({ evidence: { layouts } }) {
    const problems = layouts.flatMap(({ width, scrollWidth, wide }) => [
      ...(scrollWidth > width ? [{ message: `The page is ${scrollWidth} pixels wide in a window of ${width}` }] : []),
      ...wide.map((place) =>
        problemAt(place, `At ${width} pixels it sticks out by ${place.pixels} and cannot be scrolled to`),
      ),
    ]);
    const widths = layouts.map(({ width }) => width).join(", ");
    return decide({ expected: "nothing wider than the window", actual: `fits at ${widths} pixels`, problems });
  },
};

export const printCheck: RenderCheck = {
  id: "R24",
  name: "print",
  weight: "quality",
  description: "Print shows what is folded and cuts no table, formula, code or image",
  judge({ evidence: { print } }) {
    const problems = [
      ...print.folded.map((place) => problemAt(place, "It stays folded in print")),
      ...print.cut.map((place) => problemAt(place, `Print cuts ${place.pixels} pixels off`)),
    ];
    return decide({ expected: "all open, nothing cut on A4", actual: "all open, nothing cut", problems });
  },
};

export const visualCheck: RenderCheck = {
  id: "R32",
  name: "visual",
  weight: "hint",
  description: "No block lies over another or outside the block around it; pictures are kept",
  judge({ evidence: { overlaps, screenshots } }) {
    const problems = overlaps.flatMap(({ width, overlaps: over, outside }) => [
      ...over.map((place) => problemAt(place, `At ${width} pixels it lies over ${place.other} by ${place.pixels}`)),
      ...outside.map((place) => problemAt(place, `At ${width} pixels it lies outside its block by ${place.pixels}`)),
    ]);
    const pictures = screenshots.map(({ name }) => name).join(", ");
    return decide({ expected: "blocks apart from each other", actual: `apart; pictures: ${pictures}`, problems });
  },
};

export const noScriptCheck: RenderCheck = {
  id: "R23",
  name: "no_script",
  weight: "quality",
  description: "Without scripts the page holds and shows the same, and folded parts open",
  judge({ evidence: { content, structure, scriptless } }) {
    const [wanted, shown] = [content.inventory, scriptless.content.inventory];
    const names = ["display_math", "inline_math", "code_blocks", "tables", "details"] as const;
    const differing = names.filter((name) => wanted[name] !== shown[name]);
    const kinds = (of: typeof structure): string =>
      of.callouts.map(({ kind, bodyLength }) => `${kind} ${bodyLength > 0}`).join();
    const rows = (of: typeof structure): string => of.tables.map(({ widths }) => widths.map(String).join()).join(";");
    const problems = [
      ...differing.map((name) => ({ message: `${name}: ${wanted[name]} with scripts, ${shown[name]} without` })),
      ...(kinds(structure) === kinds(scriptless.structure) ? [] : [{ message: "Callouts differ without scripts" }]),
      ...(rows(structure) === rows(scriptless.structure) ? [] : [{ message: "Tables differ without scripts" }]),
      ...scriptless.hidden.map((block) => ({ block, message: `The block ${block} cannot be seen without scripts` })),
      ...scriptless.stuck.map((block) => ({
        block,
        message: `The folded part ${block} does not open without scripts`,
      })),
    ];
    return decide({
      expected: "the same without scripts",
      actual: `${scriptless.content.blocks.length} blocks, all there`,
      problems,
    });
  },
};

export const findAndLinkCheck: RenderCheck = {
  id: "R26",
  name: "find_and_link",
  weight: "quality",
  description: "An address or a search that leads into a closed folded part opens it",
  judge({ evidence: { folds, search } }) {
    const expected = "folded parts open when they are sought";
    if (folds.length === 0) return notApplicable(expected, "there are none");
    const problems = folds
      .filter(({ opensByFragment }) => !opensByFragment)
      .map((place) => problemAt(place, "An address into it does not open it"));
    if (search !== undefined && !search.isOpened)
      problems.push(
        problemAt({ block: search.block, text: search.words }, "A search for words in it does not open it"),
      );
    const searched = search === undefined ? "no words to search for" : "and by a search";
    return decide({ expected, actual: `${folds.length} open by address, ${searched}`, problems });
  },
};
