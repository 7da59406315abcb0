import type { Voice } from '@parlando/core/wire'

/** The workspace of every voice, and the start of the ids of clones. */
const workspace = 'local'
export const clonePrefix = `${workspace}__`

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
