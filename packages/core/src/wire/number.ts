import { z } from 'zod'

/** Reads a number that may be text, as 64-bit numbers are in the JSON of protocol buffers. @returns any other value unchanged. */
export function readNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

/** A number, or a text that contains one. */
export const numberSchema = z.preprocess(readNumber, z.number())
