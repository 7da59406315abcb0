import { z } from 'zod'

/** @returns the number that a text contains; any other value unchanged. JSON of protocol buffers has 64-bit numbers as text. */
export function readNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

/** A number, or a text that contains one. */
export const numberSchema = z.preprocess(readNumber, z.number())
