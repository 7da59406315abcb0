import { readFileSync } from 'node:fs'
import { soundKey } from '@parlando/store'
import packageJson from '../../package.json' with { type: 'json' }
import { findBuiltInVoices } from '../engines/built-in-voices.ts'
import type { SynthesisRequest } from './synthesis-request.ts'

/** A minute of speech or less. Longer texts are hardly spoken twice. */
const maxCharacters = 1000

/**
 * Whose sound is the same on each machine with the same versions. Models that were installed may differ, other servers may change
 * their voices, or forbid to keep what they send.
 */
const sameEverywhere = (engine: string, voice: string) =>
  engine === 'flite' || engine === 'pico' || (engine === 'hibari' && voice === 'heart')

let versions: object | undefined

/** @returns the key of everything that the sound of a request depends on; nothing for a sound that is not kept, as that of a clone. */
export function keyOfSound(request: SynthesisRequest): string | undefined {
  const { voice, engineVoice, imprint, engine, recording } = request.voice
  const isClone = voice.source === 'IVC' || recording !== undefined
  if (isClone || request.text.length > maxCharacters) return undefined
  if (!sameEverywhere(engine, engineVoice)) return undefined
  versions ??= { service: packageJson.version, voices: readVersionOfVoices() }
  const { modelId, language, prosody, layout, limits, script, withWords } = request
  const sound = { modelId, language, prosody, layout, limits, script, withWords }
  return soundKey({ form: 1, versions, engine, engineVoice, imprint, ...sound })
}

function readVersionOfVoices(): string | undefined {
  const path = findBuiltInVoices('package.json')
  if (!path) return undefined
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
