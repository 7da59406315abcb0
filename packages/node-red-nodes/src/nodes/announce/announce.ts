import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { AnnouncementReport } from '../../announcements/announcement.ts'
import { type Playback, PlaybackRunner } from '../../announcements/playing-nodes/playback-runner.ts'
import { AfterDeploy } from '../../runtime/after-deploy.ts'
import type { Failure } from '../../runtime/failure.ts'
import { findService, leaveThisDevice } from '../../runtime/find-service.ts'
import { handleClose, handleInput } from '../../runtime/input.ts'
import { onRemoval } from '../../runtime/removed-nodes.ts'
import { noteRunning } from '../../runtime/running-nodes.ts'
import { readTopic } from '../../runtime/settings.ts'
import { createAlarmStore } from './alarm-store.ts'
import { type AnnounceForm, createAnnounce } from './announce-text.ts'
import { createKnownTopics, takeControls } from './controls.ts'
import { createKeptAlarms } from './kept-alarms.ts'
import { reportOf, sendOutcome } from './outcome.ts'
import { type AnnounceMessage, sequenceIdOf } from './read-announcement.ts'

type AnnounceDef = NodeDef & AnnounceForm

function register(RED: NodeAPI): void {
  const userFolder = RED.settings.userDir ?? '.'
  const store = createAlarmStore(join(userFolder, 'parlando', 'alarms.json'), ({ message }) =>
    RED.log.warn(RED._('announce.error.alarms-not-saved', { reason: message })),
  )

  onRemoval(RED, ({ isDeleted }) => store.removeOf(isDeleted))
  const afterDeploy = new AfterDeploy(RED)
  const topics = createKnownTopics()

  function Announce(this: Node, config: AnnounceDef) {
    RED.nodes.createNode(this, config)
    noteRunning(this, config)
    const playbacks = new PlaybackRunner(RED, this)
    const alarms = createKeptAlarms(store, this.id)
    const announce = createAnnounce(RED, this, { config, alarms, playbacks })
    findService(RED, this, config.service)?.startAhead()

    afterDeploy.follow(this, () => {
      for (const message of alarms.restoredMessages()) this.receive(message)
    })

    handleInput<AnnounceMessage>(this, (message, send, end) => {
      if (takeControls(RED, this, message, { playbacks, topics })) return end()
      const topic = readTopic(message)
      topics.add(topic)
      const hasLeft = alarms.hasLeft(message)
      const job = {
        topic,
        sequenceId: sequenceIdOf(message),
        play: (playback: Playback) => announce({ message, send, playback }),
        send(report: AnnouncementReport, warning?: string) {
          if (!hasLeft || report.status === 'not said') sendOutcome(send, message, report, warning)
        },
        failed(failure: Failure) {
          // It may have failed before it was announced.
          alarms.forget(message)
          sendOutcome(send, message, reportOf(config, message, 'failed', failure))
        },
        closed: (report = reportOf(config, message, 'deploy')) => {
          if (alarms.keeps(message)) return
          const isSaid = report.status === 'said'
          const outcome = isSaid ? report : { ...report, reason: 'deploy' as const }
          afterDeploy.add(this, (node) => sendOutcome((out) => node.send(out), message, outcome))
        },
      }
      playbacks.start(job, end)
    })

    handleClose(RED, this, async ({ isRemoved }) => {
      await playbacks.close()
      afterDeploy.leave(this, isRemoved)
      await store.flush()
      await leaveThisDevice(this)
    })
  }
  RED.nodes.registerType('parlando-announce', Announce)
}

export = register
