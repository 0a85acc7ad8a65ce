import { lintFinding, lintRule } from "../../lint-rule.js";

const paths =
  /(?<![\w/.:~-])(?:(\/(?:home|Users)\/)([\w.-]+)|(\/root|\/tmp|\/var\/(?:folders|tmp)|\/private\/(?:var|tmp)|\/scratch|\/workspace)(\/[\w.-]+)|([A-Z]:\\(?:Users\\)?|[A-Z]:\/(?:Users\/)?)([\w.-]+))/g;

/** Names that stand for anybody in documentation. */
const anybody =
  /^(?:user(?:name)?|you(?:r[-_]?(?:name|user|username))?|me|name|someone|alice|bob|jane|john|example|foo|bar|runner|ubuntu|\.{2,3}|xxx+)$/i;

/** Where something lies on somebody's machine. */
export const privacyPathRule = lintRule({
  id: "privacy.path",
  severity: "error",
  description:
    "Finds absolute paths of home, temporary and drive folders, and names of this machine's users, in text and code.",
  rationale:
    "Such a path names its author, or works on one machine only. Paths of nobody in particular, such as the home of “user”, are left alone; findings do not repeat the name.",
  remedy: "Write a relative path, ~ or an environment variable",
  examples: [
    {
      name: "relative paths, addresses and programs",
      markdown: "See `runs/a`, `~/data`, https://host/home/x; /usr/bin/env; C:/Users/you.",
      messages: [],
    },
    {
      name: "temporary folders and drives",
      markdown: "In `/tmp/job-17/out`:\n\n```bat\ncopy D:\\runs\\a .\n```\n\nor `C:\\Users\\mli`.",
      messages: [
        'A path below "/tmp" names a folder of one machine',
        'A path below "D:\\" names a folder of one machine',
        'A path below "C:\\Users\\" names a folder of one machine',
      ],
    },
    {
      name: "the name of a user of this machine",
      markdown: "Ask mli42 for access.",
      userNames: ["mli42"],
      messages: ["The text holds the name of a user of this machine"],
    },
  ],
  check({ document, userNames }) {
    const names = userNames.filter(
      (name) => name.length >= 4 && !anybody.test(name) && !/^(root|admin|node|guest|main|work)$/i.test(name),
    );
    return document.lines.flatMap((line, i) => {
      const found = [...line.matchAll(paths)]
        .filter(([, , home, , , , drive]) => !anybody.test((home ?? drive ?? "").replace(/[.-]+$/, "")))
        .map(
          ([, home, , machine, , drive]) => `A path below "${home ?? machine ?? drive}" names a folder of one machine`,
        );
      const isNamed = names.some((name) =>
        new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[^\p{L}\p{N}]/gu, "\\$&")}(?![\\p{L}\\p{N}])`, "iu").test(line),
      );
      const named = isNamed && found.length === 0 ? ["The text holds the name of a user of this machine"] : [];
      return [...found, ...named].map((message) => lintFinding(i + 1, message));
    });
  },
});
