import { randomBytes } from 'node:crypto'
import type { Voice } from '@parlando/core/wire'
import { clonePrefix } from './voice-resource.ts'

interface CloneDescription extends Pick<Voice, 'description' | 'tags'> {
  displayName: string
  langCode: string
}

/** The voice of a clone that is made now. */
export function newClone({ displayName, description, langCode, tags }: CloneDescription) {
  return {
    voiceId: newVoiceId(displayName),
    displayName,
    description,
    langCode,
    tags: tags ?? [],
    source: 'IVC',
    createTime: new Date().toISOString(),
  }
}

/** Readable and unique, even for equal display names. */
function newVoiceId(displayName: string): string {
  const letters = displayName.normalize('NFKD').replace(/\p{Mark}/gu, '')
  const slug = letters
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
  const random = randomBytes(6).toString('hex')
  return `${clonePrefix}${[slug.replace(/^-|-$/g, ''), random].filter(Boolean).join('-')}`
}
