// internal

/** What a file is by its first bytes, with what to do about it. */
export interface FileKind {
  readonly name: string;
  readonly remedy: string;
  readonly isZip?: true;
}

const asJson =
  "Write its records as JSON lines: in Python, pandas reads it and to_json(lines=True, orient='records') writes them";
const unpack = "Unpack it and name the file inside";

/** First bytes as Latin-1 text, with the kind they mark. */
const kinds: readonly (readonly [string, FileKind])[] = [
  ["PAR1", { name: "a Parquet table", remedy: asJson }],
  ["ARROW1", { name: "an Arrow table", remedy: asJson }],
  ["\u0093NUMPY", { name: "a NumPy array", remedy: "Write its values as JSON lines" }],
  ["SQLite format 3\0", { name: "an SQLite database", remedy: "Export the table as JSON lines or CSV" }],
  ["\u0089HDF\r\n", { name: "an HDF5 file", remedy: asJson }],
  ["PK\u0003\u0004", { name: "a zip archive (PyTorch files are such archives too)", remedy: unpack, isZip: true }],
  ["\u0028\u00b5\u002f\u00fd", { name: "compressed with Zstandard", remedy: "Unpack it: zstd -d" }],
  ["BZh", { name: "compressed with bzip2", remedy: "Unpack it: bunzip2" }],
  ["\u00fd7zXZ\0", { name: "compressed with xz", remedy: "Unpack it: unxz" }],
  ["7z\u00bc\u00af", { name: "a 7-Zip archive", remedy: unpack }],
  ["%PDF-", { name: "a PDF document", remedy: "Name the data the document was made from" }],
  ["\u0089PNG", { name: "an image", remedy: "Name the data the image was made from" }],
  ["\u00ff\u00d8\u00ff", { name: "an image", remedy: "Name the data the image was made from" }],
];

/** Returns what a binary file is, or `undefined` for text and for bytes that nothing is known of. */
export function findFileKind(head: Uint8Array): FileKind | undefined {
  const start = Buffer.from(head.subarray(0, 1024)).toString("latin1");
  const found = kinds.find(([mark]) => start.startsWith(mark));
  if (found !== undefined) return found[1];
  // A pickle begins with its protocol; protocols 2 to 5 are in use.
  if (/^\u0080[\u0002-\u0005]/.test(start))
    return { name: "a Python pickle", remedy: "Write its records as JSON lines" };
  if (start.slice(257, 262) === "ustar") return { name: "a tar archive", remedy: unpack };
  return undefined;
}

/** Returns the first line of a text file as messages show it, or `undefined` for a file that is no text. */
export function showStart(head: Uint8Array): string | undefined {
  const [first] = Buffer.from(head.subarray(0, 256))
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart()
    .split("\n", 1);
  if (/[\0-\u0008\u000e-\u001f\ufffd]/.test(first.slice(0, 60))) return undefined;
  return JSON.stringify(first.length > 60 ? `${first.slice(0, 60)}…` : first.trimEnd());
}
