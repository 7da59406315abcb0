import type { Voice, VoiceUpdate } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import type { SpeakingVoice } from '../../voices/speaking-voice.ts'
import type { VoiceList } from '../../voices/voice-list.ts'

/** The workspace of every voice, and the start of the ids of clones. */
const workspace = 'local'
export const clonePrefix = `${workspace}__`

const maxTextCharacters = 8_000

/**
 * @param voiceId the id of a voice, or the last part of its `name`, which for a clone is shorter.
 * @throws {ServiceError} if there is no such voice.
 */
export function findVoice(voiceList: VoiceList, voiceId: string): SpeakingVoice {
  const found = voiceList.find(voiceId) ?? voiceList.find(clonePrefix + voiceId)
  if (found) return found
  const message = `Unknown voice: ${voiceId}. GET /voices/v1/voices lists all voices`
  throw new ServiceError('NOT_FOUND', message)
}

/** @throws {ServiceError} if there is no such voice, or if it cannot be changed. */
export function findClone(voiceList: VoiceList, voiceId: string): SpeakingVoice {
  const voice = findVoice(voiceList, voiceId)
  if (voiceList.clones.find(voice.voice.voiceId)) return voice
  const message = `${voiceId} is a library voice: only cloned voices can be changed, deleted or exported`
  throw new ServiceError('PERMISSION_DENIED', message)
}

/** Texts about a voice are stored and listed, so their length is limited. */
export function rejectLongTexts({
  displayName,
  description,
  tags,
}: Pick<Voice, keyof VoiceUpdate>): void {
  const { length } = JSON.stringify([displayName, description, tags])
  if (length <= maxTextCharacters) return
  const message = `displayName, description and tags have ${length} characters together; the limit is ${maxTextCharacters}`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

/** A voice with every field of the protocol, because a client may read fields that this voice does not have. */
export function toVoiceResource(voice: Voice): Voice {
  return {
    ...voice,
    name: `workspaces/${workspace}/voices/${voice.voiceId.replace(clonePrefix, '')}`,
    description: voice.description ?? '',
    langCode: voice.langCode ?? '',
    tags: voice.tags ?? [],
    categories: voice.categories ?? [],
    source: voice.source ?? '',
    gender: voice.gender ?? '',
    ageGroup: voice.ageGroup ?? '',
    promptLanguages: voice.promptLanguages ?? [],
  }
}
