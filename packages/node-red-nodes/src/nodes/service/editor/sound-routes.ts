import type { NodeAPI } from 'node-red'
import { type AdminHandler, addAdminRoute, textOf } from '../../../runtime/admin-route.ts'
import { NodeInputError } from '../../../runtime/failure.ts'
import type { ServiceNode } from '../../../runtime/speech-service.ts'
import type { RecentSpeech } from '../../../studio-server/recent-speech.ts'

/** The routes of the sound that is kept: that of a deployed service, and the last texts in the studio. */
export function addSoundRoutes(RED: NodeAPI, recentSpeech: RecentSpeech): void {
  const route = (path: string, permission: string, handle: AdminHandler) =>
    addAdminRoute(RED, path, permission, handle)

  route('kept-sound', 'parlando.read', async ({ id }) => deployedService(RED, id).speech.report())
  route('kept-sound/clear', 'parlando.write', async ({ id }) => {
    const { speech } = deployedService(RED, id)
    await speech.clear()
    return speech.report()
  })
  route('studio/recent', 'parlando.read', async () => ({ texts: recentSpeech.list() }))
  route('studio/recent/sound', 'parlando.read', async ({ id }) => {
    const sound = recentSpeech.soundOf(textOf(id))
    if (!sound) throw new NodeInputError(RED._('service.error.sound-gone'))
    const { audio, mediaType } = sound
    return { audio: Buffer.from(audio).toString('base64'), mediaType }
  })
  route('studio/recent/clear', 'parlando.write', async () => {
    recentSpeech.clear()
    return { texts: [] }
  })
}

/** @throws {NodeInputError} if the configuration node does not run. */
function deployedService(RED: NodeAPI, id: unknown): ServiceNode {
  const node = RED.nodes.getNode(textOf(id)) as ServiceNode | null
  if (typeof node?.speech?.report !== 'function') {
    throw new NodeInputError(RED._('service.error.not-deployed'))
  }
  return node
}
