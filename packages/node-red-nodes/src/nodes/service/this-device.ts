import type { Node } from 'node-red'
import type { ThisDevice } from '../../runtime/speech-service.ts'
import type { OpenSpeechService, SpeechServiceOptions } from './speech-service.ts'

/** The service on this device for nodes that select no service. @param open Opens it for the first of them. */
export function createThisDevice(
  open: (report: SpeechServiceOptions['report']) => OpenSpeechService,
): ThisDevice {
  const nodes = new Set<Node>()
  let service: OpenSpeechService | undefined
  // Without a configuration node, the first node shows the problems of the service.
  const report: SpeechServiceOptions['report'] = {
    warn: (warning) => [...nodes][0]?.warn(warning),
    error: (error) => [...nodes][0]?.error(error),
  }
  return {
    serve(node) {
      nodes.add(node)
      service ??= open(report)
      return service
    },
    async leave(node) {
      if (!nodes.delete(node) || nodes.size > 0) return
      const closing = service
      service = undefined
      await closing?.close()
    },
  }
}
