import type { Node, NodeAPI } from 'node-red'
import type { CommandRecogniser } from '../../announcements/listen-for-commands.ts'
import { toFailure } from '../../runtime/failure.ts'
import { requireService } from '../../runtime/find-service.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'

const maxReported = 20

/** Recognises what somebody says to an announcement, with the service of its node. Each problem is logged once. */
export function createRecogniser(
  RED: NodeAPI,
  node: Node,
  { service, language }: { service: string; language?: string | undefined },
): CommandRecogniser {
  const reported = new Set<string>()
  return {
    language: language || nodeRedLanguage(RED),
    async use(signal, work) {
      await requireService(RED, node, service).use(signal, work)
    },
    onProblem(error) {
      const reason = toFailure(error).toString()
      if (reported.has(reason) || reported.size >= maxReported) return
      reported.add(reason)
      node.warn(RED._('announce.warning.cannot-hear', { reason }))
    },
  }
}
