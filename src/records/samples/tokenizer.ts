import { inputError, isJsonObject } from "../../core/index.js";
import { getCount, getList, getObject, getText } from "../importers/fields.js";
import { readJsonDocument } from "../reading/jsonl.js";
import { openImportSource } from "../reading/source.js";

/** What a vocabulary says of its tokens. */
export interface TokenTexts {
  /** Returns the text of a token, or `undefined` for an id that is not in the vocabulary. */
  getText(id: number): string | undefined;
  readonly size: number;
}

/** Byte-level vocabularies write each byte as a printable character: bytes that are none are moved up from 256. */
function createByteTable(): Map<string, number> {
  const table = new Map<string, number>();
  let moved = 256;
  for (let byte = 0; byte < 256; byte += 1) {
    const isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    table.set(String.fromCharCode(isPrintable ? byte : moved), byte);
    if (!isPrintable) moved += 1;
  }
  return table;
}
const byteTable = createByteTable();
const decoder = new TextDecoder();

function decodePiece(piece: string): string {
  if (/^<0x[0-9A-F]{2}>$/.test(piece)) return String.fromCharCode(Number.parseInt(piece.slice(3, 5), 16));
  if (piece.includes("\u2581")) return piece.replaceAll("\u2581", " ");
  const bytes = Array.from(piece, (character) => byteTable.get(character));
  return bytes.every((byte) => byte !== undefined) ? decoder.decode(Uint8Array.from(bytes)) : piece;
}

/**
 * Reads the vocabulary of a `tokenizer.json` (Hugging Face tokenizers): pieces of BPE, WordPiece and Unigram models and
 * added tokens. Pieces that are part of a character show U+FFFD.
 *
 * @throws {TurnwiseError} (input) for a file that is missing or no such tokenizer.
 */
export async function readTokenizer(path: string): Promise<TokenTexts> {
  const { value } = await readJsonDocument(await openImportSource(path));
  const file = isJsonObject(value) ? value : {};
  const { vocab } = getObject(file["model"]);
  const texts = new Map<number, string>();
  if (Array.isArray(vocab))
    getList(vocab).forEach((entry, id) => texts.set(id, decodePiece(getText(getList(entry)[0]) ?? "")));
  else
    for (const [piece, id] of Object.entries(getObject(vocab)))
      if (typeof id === "number") texts.set(id, decodePiece(piece));
  for (const token of getList(file["added_tokens"]).map(getObject)) {
    const id = getCount(token["id"]);
    const content = getText(token["content"]);
    if (id !== undefined && content !== undefined) texts.set(id, content);
  }
  if (texts.size === 0)
    throw inputError(
      `Cannot read "${path}" as a tokenizer: it has neither model.vocab nor added_tokens`,
      "Give the tokenizer.json of the model",
    );
  return { getText: (id) => texts.get(id), size: texts.size };
}
