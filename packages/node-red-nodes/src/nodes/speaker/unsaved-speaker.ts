import { completeAddress } from '@parlando/core/address'
import type { NodeAPI } from 'node-red'
import { textOf } from '../../runtime/admin-route.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import type { SpeakerKind } from '../../speakers/speaker-kind.ts'

/** The editor does not receive a saved secret, and sends this in its place. */
const savedSecret = '__PWRD__'

/** The settings of an open form, which may not be deployed yet. */
export type UnsavedSpeaker = Readonly<Record<string, unknown>> & { kind: string }

/**
 * Reads the settings of an open form, and adds the secrets that are saved.
 * @param id of the speaker, deployed or not.
 * @throws {NodeInputError} if a saved secret would be sent to another server than the one that it was saved for.
 */
export function readUnsavedSpeaker(
  RED: NodeAPI,
  kinds: Readonly<Record<string, SpeakerKind>>,
  { id, speaker }: Readonly<Record<string, unknown>>,
): UnsavedSpeaker {
  const form = { ...(speaker as object | undefined) } as Record<string, unknown>
  const kind = String(form['kind'])
  const { settings = [] } = Object.hasOwn(kinds, kind) ? kinds[kind]! : {}
  const saved = (RED.nodes.getCredentials(textOf(id)) ?? {}) as Record<string, unknown>
  for (const { name, type, sentTo } of settings) {
    if (type !== 'secret' || form[name] !== savedSecret) continue
    if (sentTo && addressOf(form[sentTo]) !== addressOf(savedSetting(RED, textOf(id), sentTo))) {
      throw new NodeInputError(RED._('speaker.error.secret-for-other-address'))
    }
    form[name] = saved[name]
  }
  return { ...form, kind }
}

function addressOf(typed: unknown): string {
  return completeAddress(textOf(typed).trim()).replace(/\/$/, '')
}

/** A setting as it is deployed. The node itself does not exist while flows restart after a deploy. */
function savedSetting(RED: NodeAPI, id: string, name: string): unknown {
  let value: unknown
  RED.nodes.eachNode((definition) => {
    if (definition.id === id) value = (definition as unknown as Record<string, unknown>)[name]
  })
  return value
}
