import { expect, test } from "vitest";
import { MessageWriter } from "./protobuf.js";

const write = (build: (writer: MessageWriter) => unknown): number[] => {
  const writer = new MessageWriter();
  build(writer);
  return [...writer.finish()];
};

test.each([
  // The first two are the examples of the encoding's own documentation.
  { name: "150 in field 1", build: (w: MessageWriter) => w.integer(1, 150), bytes: [0x08, 0x96, 0x01] },
  {
    name: "text in field 2",
    build: (w: MessageWriter) => w.text(2, "testing"),
    bytes: [0x12, 7, ...Buffer.from("testing")],
  },
  {
    name: "-2 as ten bytes",
    build: (w: MessageWriter) => w.integer(1, -2),
    bytes: [8, 0xfe, ...Array<number>(8).fill(0xff), 1],
  },
  {
    name: "a number beyond 32 bits",
    build: (w: MessageWriter) => w.integer(1, 2 ** 40),
    bytes: [8, 128, 128, 128, 128, 128, 32],
  },
  { name: "a field beyond 15", build: (w: MessageWriter) => w.integer(20, 1), bytes: [0xa0, 1, 1] },
  { name: "a float", build: (w: MessageWriter) => w.float(2, 1.5), bytes: [0x15, 0, 0, 0xc0, 0x3f] },
  {
    name: "a message within, between numbers",
    build: (w: MessageWriter) => w.integer(1, 1).message(3, new MessageWriter().integer(1, 150)).integer(2, 2),
    bytes: [8, 1, 0x1a, 3, 8, 0x96, 1, 0x10, 2],
  },
])("MessageWriter writes $name", ({ build, bytes }) => {
  expect(write(build)).toEqual(bytes);
});
