import { z } from 'zod'
import { looseObject } from './object-schema.ts'

/** What the core reads of the response of `GET /healthz`, which only the local service has. */
export const healthSchema = looseObject({ version: z.string().nullish() })
