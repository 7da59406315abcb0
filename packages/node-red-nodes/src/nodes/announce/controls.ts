import type { Node, NodeAPI } from 'node-red'
import type { PlaybackRunner } from '../../announcements/playing-nodes/playback-runner.ts'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import { readTopic } from '../../runtime/settings.ts'
import { sharedKey } from '../../runtime/texts.ts'
import type { AnnounceMessage } from './read-announcement.ts'

const maxTopics = 1000

/** The topics that announcements have, or had. */
export function createKnownTopics() {
  const topics = new Set<string>()
  return {
    add(topic: string | undefined) {
      if (topic === undefined) return
      topics.delete(topic)
      topics.add(topic)
      const [oldest] = topics
      if (topics.size > maxTopics) topics.delete(oldest!)
    },
    has: (topic: string) => topics.has(topic),
  }
}

export type KnownTopics = ReturnType<typeof createKnownTopics>

/**
 * Handles `msg.stop`, `msg.acknowledge`, `msg.later` and `msg.played`. They mean the announcements of the topic; without a topic, and
 * with one that no announcement had, they mean all: a button sends the name of its device. One that matches nothing is
 * reported.
 * @returns whether the message has one of them.
 */
export function takeControls(
  RED: NodeAPI,
  node: Node,
  message: AnnounceMessage,
  { playbacks, topics }: { playbacks: PlaybackRunner; topics: KnownTopics },
): boolean {
  const { stop, acknowledge, later, played } = message
  const { announcer, notePlayed } = sharedPlayback()
  // Before `stop`: the node of a player may pass on the message that stopped it.
  if (played === true) {
    notePlayed(message.url)
    return true
  }
  const topic = readTopic(message)
  const meant = topic !== undefined && topics.has(topic) ? topic : undefined
  const report = (problem: `nothing-to-${'stop' | 'acknowledge' | 'postpone'}`) => {
    node.warn(RED._(`announce.warning.${problem}`))
    playbacks.showNoEffect(sharedKey(`playback.${problem}`))
  }
  if (stop === true && playbacks.stop(meant) === 0) report('nothing-to-stop')
  if (acknowledge === true && announcer.acknowledge(meant) === 0) report('nothing-to-acknowledge')
  if (later === true && announcer.postpone(meant) === 0) report('nothing-to-postpone')
  return stop === true || acknowledge === true || later === true
}
