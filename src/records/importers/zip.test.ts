import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createZip, createZstdFrame, type Packing } from "../../../test/support/importing.js";
import { openZip } from "./zip.js";

const referenceFrame =
  "KLUv/WQuFz0LAPYgQxSwaTlnSzSco6RCpZQypZSkXjIXA0MAOAA7ALGIWNHIXS6qaOQuF1Q0cpeLKRq5y4UUjdzl4kUjd7lw0chd" +
  "Llo0cpcLFo3c5VY0cpcDOCAECBQMBAmFgYNCFAyHAoMyInKxVCiTkDp9Lv/9nt/jZfJYfNs1PYer1Kn0dVt2jRaJQ+FpluQYrNFm" +
  "ss/ruC1WQTEh8XA0GC27RovEofA0S3IM1mgz2ed13BaroJiQeDgajEUEq6impF6uFmsVVUQ0JHQylUijoBqaGZmPp8PZxJRQpJqS" +
  "erlarFVUEdGQ0MlUIo2CamhmZD6eDmcTU0IyInKxVCiTkDp9Lv/9nt/jZfJYfNs1PYer1Kn0dQOBLKgRQPX2z+FLyxwRJASvEFT4" +
  "AzfYe61UK0VL0Uq0UrSKK24laUlakVaSlqS1dpgVxkEvGFPH8aXHmDoOXzzG1OH44jFGHYf1/RthYRuDbQzbOBbbgL8KNRHdXw==";

const packings: readonly Packing[] = ["stored", "deflate", "zstd", "zstd_frames"];

function readText(archive: ReturnType<typeof openZip>, name: string): string | undefined {
  const bytes = archive.members.get(name)?.read();
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}

test("openZip() gives back every member, however it is packed, with and without a central directory", () => {
  const content = fc.uint8Array({ maxLength: 400 });
  const member = fc.record({ content, packing: fc.constantFrom(...packings) });
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 5 }), fc.boolean(), (members, isOpen) => {
      const named = members.map((one, index) => ({ ...one, name: `é/${index}.json` }));
      const archive = openZip(createZip(named, isOpen), "a.zip");
      expect(archive.isIncomplete).toBe(isOpen);
      for (const { name, content: expected } of named)
        expect([...(archive.members.get(name)?.read() ?? [])]).toEqual([...expected]);
    }),
  );
});

test("openZip() reads Zstandard members of several blocks and frames", () => {
  const text = "barn ".repeat(100_000);
  const archive = openZip(createZip([{ name: "a", content: text, packing: "zstd_frames" }]), "a.zip");
  expect(readText(archive, "a")).toBe(text);
});

test("openZip() reads what the reference compressor wrote", () => {
  // 300 lines "line N of the barn" at level 19: entropy coding, matches and a checksum.
  const packed = Buffer.from(referenceFrame, "base64");
  const text = Array.from({ length: 300 }, (_, index) => `line ${index} of the barn\n`).join("");
  expect(readText(openZip(replaceStored(text, packed), "a.zip"), "a")).toBe(text);
});

test("openZip() takes the last of members with one name", () => {
  const archive = openZip(
    createZip([
      { name: "a", content: "old" },
      { name: "b", content: "b" },
      { name: "a", content: "new" },
    ]),
    "a.zip",
  );
  expect(readText(archive, "a")).toBe("new");
  expect([...archive.members.keys()]).toEqual(["b", "a"]);
});

test("openZip() reads the members before the place where a file ends", () => {
  const whole = createZip(
    [
      { name: "a", content: "first" },
      { name: "b", content: "x".repeat(1000), packing: "stored" },
    ],
    true,
  );
  const archive = openZip(whole.subarray(0, whole.length - 10), "a.zip");
  expect([...archive.members.keys()]).toEqual(["a"]);
});

test("openZip() refuses bytes that are no archive", () => {
  expect(() => openZip(Buffer.from("hello"), "a.zip")).toThrow(/no members found/);
  expect(openZip(createZip([]), "a.zip").members.size).toBe(0);
});

test("a member with a wrong checksum is not read", () => {
  const archive = openZip(createZip([{ name: "a", content: "abc", checksum: 1 }]), "a.zip");
  expect(() => archive.members.get("a")?.read()).toThrow(/checksum/);
});

/** Returns an archive with one Zstandard member whose packed bytes are given. */
function replaceStored(text: string, packed: Uint8Array): Uint8Array {
  const template = createZip([{ name: "a", content: packed, packing: "stored", checksum: crc32(text) }]);
  const view = new DataView(template.buffer, template.byteOffset, template.byteLength);
  view.setUint16(8, 93, true);
  view.setUint32(22, text.length, true);
  const central = Buffer.from(template).lastIndexOf("PK\u0001\u0002", undefined, "latin1");
  view.setUint16(central + 10, 93, true);
  view.setUint32(central + 24, text.length, true);
  return template;
}

test("createZstdFrame() of nothing is a frame", () => {
  const archive = openZip(replaceStored("", createZstdFrame(new Uint8Array())), "a.zip");
  expect(readText(archive, "a")).toBe("");
});
