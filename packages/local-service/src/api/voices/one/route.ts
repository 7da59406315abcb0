import { type VoiceUpdate, voiceUpdateSchema } from '@parlando/core/wire'
import type { Hono } from 'hono'
import { ServiceError } from '../../../errors.ts'
import { camelCaseKeys } from '../../../http/camel-case.ts'
import { parseRequest } from '../../../http/parse-request.ts'
import { limitBody, readJsonBody } from '../../../http/read-json.ts'
import type { ServiceContext } from '../../../speech/synthesis-request.ts'
import type { Catalogue } from '../../../voices/catalogue.ts'
import type { SpeakingVoice } from '../../../voices/voice.ts'

const maxTextCharacters = 8_000

/** `GET`, `PATCH` and `DELETE` of `/voices/v1/voices/{voiceId}`. */
export function addOneVoiceRoutes(app: Hono, path: string, { catalogue }: ServiceContext): void {
  const onePath = `${path}/:voiceId` as const

  app.get(onePath, (context) =>
    context.json(findVoice(catalogue, context.req.param('voiceId')).voice),
  )

  app.patch(onePath, limitBody(64 * 1024), async (context) => {
    const voiceId = findClone(catalogue, context.req.param('voiceId'))
    const update = parseRequest(voiceUpdateSchema, camelCaseKeys(await readJsonBody(context)))
    rejectLongTexts(update)
    return context.json(await catalogue.clones.change(voiceId, update))
  })

  app.delete(onePath, async (context) => {
    await catalogue.clones.remove(findClone(catalogue, context.req.param('voiceId')))
    return context.json({})
  })
}

export function findVoice(catalogue: Catalogue, voiceId: string): SpeakingVoice {
  const found = catalogue.find(voiceId)
  if (found) return found
  const message = `Unknown voice: ${voiceId}. GET /voices/v1/voices lists those there are`
  throw new ServiceError('NOT_FOUND', message)
}

/** @returns the id, of a voice that may be changed. */
function findClone(catalogue: Catalogue, voiceId: string): string {
  findVoice(catalogue, voiceId)
  if (catalogue.clones.find(voiceId)) return voiceId
  const message = `${voiceId} is a voice of the library: only cloned voices can be changed or deleted`
  throw new ServiceError('PERMISSION_DENIED', message)
}

/** What is said about a voice is kept and listed, so it has a limit. */
export function rejectLongTexts({ displayName, description, tags }: VoiceUpdate): void {
  const { length } = JSON.stringify([displayName, description, tags])
  if (length <= maxTextCharacters) return
  const message = `displayName, description and tags have ${length} characters together; ${maxTextCharacters} is the limit`
  throw new ServiceError('INVALID_ARGUMENT', message)
}
