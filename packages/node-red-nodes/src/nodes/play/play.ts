import type { Node, NodeAPI, NodeDef } from 'node-red'
import { PlaybackRunner } from '../../announcements/playing-nodes/playback-runner.ts'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import type { PlaybackForm } from '../../playback/playback-settings.ts'
import { AfterDeploy } from '../../runtime/after-deploy.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { handleClose, handleInput } from '../../runtime/input.ts'
import type { Sound } from '../../sounds/sound.ts'
import { SoundCollector } from '../../sounds/to-play/sound-collector.ts'
import { createWaitingSounds } from '../../sounds/to-play/waiting-sounds.ts'
import { createPlayJob, isAddress, type PlayMessage } from './play-job.ts'

interface PlayDef extends NodeDef, PlaybackForm {
  /** Absent in flows of earlier versions, which fetched every address. */
  acceptAddresses?: boolean
}

function register(RED: NodeAPI): void {
  const afterDeploy = new AfterDeploy(RED)

  function Play(this: Node, config: PlayDef) {
    RED.nodes.createNode(this, config)
    const waiting = createWaitingSounds()
    const collector = new SoundCollector(RED, waiting)
    const playbacks = new PlaybackRunner(RED, this)
    const { closed } = playbacks
    const lastMessages = new WeakMap<Sound, PlayMessage>()
    const context = { RED, node: this, config, waiting, afterDeploy, closed, lastMessages }
    afterDeploy.follow(this)

    handleInput<PlayMessage>(this, (message, send, end) => {
      const start = (source: Sound | string) =>
        playbacks.start(createPlayJob(context, source, message, send), end)
      // Before `stop`: the node of a player may pass on the message that stopped it.
      if (message.played === true) {
        sharedPlayback().notePlayed(message.url)
        return end()
      }
      if (message.stop === true) {
        collector.close()
        playbacks.stop()
        return end()
      }
      if (isAddress(message.payload)) {
        if (config.acceptAddresses === false) {
          throw new NodeInputError(RED._('play.error.address-not-accepted'))
        }
        return start(message.payload)
      }
      waiting.follow(message.parts)
      const taken = collector.take(message)
      if (taken?.isLast) lastMessages.set(taken.sound, message)
      // The first message of a sound ends with its playback, the others at once.
      if (taken?.isFirst) start(taken.sound)
      else end()
    })

    handleClose(RED, this, async ({ isRemoved }) => {
      collector.close()
      await playbacks.close()
      afterDeploy.leave(this, isRemoved)
    })
  }
  RED.nodes.registerType('parlando-play', Play)
}

export = register
