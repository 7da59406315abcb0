import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { StartContext } from './part-definition.ts'

/** Prepares a part of the service for the tests of its kind: the default export of `<name>/<name>.test-case.ts`. */
type PartCase<Facts> = () => Promise<
  Partial<StartContext> &
    Facts & {
      /** Releases what the case has opened. */
      close?(): Promise<void>
    }
>

export type EngineCase = PartCase<object>

export type RecogniserCase = PartCase<{
  /** What the recogniser understands. Default: an English sentence. */
  utterance?: { samples: Int16Array; text: RegExp }
}>

export type WakeWordCase = PartCase<{
  /** What the detector finds, and somebody who says it. Default: "hey computer", spoken by a voice of Flite. */
  spoken?: { phrase: string; samples: Int16Array }
}>

/** The cases in the folders of a kind of parts. */
export function findCases<Case extends PartCase<object>>(folder: string) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const fileOf = (name: string) => files.find((path) => basename(path) === `${name}.test-case.ts`)
  return {
    has: (name: string) => fileOf(name) !== undefined,
    /** Prepares a part. One without a case needs nothing. */
    async start(name: string): Promise<Partial<Awaited<ReturnType<Case>>>> {
      const file = fileOf(name)
      if (!file) return {}
      const { default: start } = (await import(join(folder, file))) as { default: Case }
      return (await start()) as Awaited<ReturnType<Case>>
    },
  }
}
