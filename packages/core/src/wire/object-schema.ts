import { z } from 'zod'
import { readNumber } from './decode.ts'

// The functions of zod map the members to a new type, for which TypeScript writes no comments. These keep the comments of
// the members in the published types, so that editors show them.

/** A schema for objects with these members only. */
export function strictObject<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape) as z.ZodObject<Shape, z.core.$strict>
}

/** A schema for objects that may have other members. */
export function looseObject<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$loose> {
  return z.looseObject(shape) as z.ZodObject<Shape, z.core.$loose>
}

/** A number, or a text that contains one. */
export const numberSchema = z.preprocess(readNumber, z.number())
