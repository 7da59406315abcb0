import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import type { SpeechOptions } from '../../announcements/speech/speech-job.ts'
import { createSpeechMaker, type MakeSpeech } from '../../announcements/speech/speech-maker.ts'
import { AfterDeploy } from '../../runtime/after-deploy.ts'
import { NodeInputError, reportFailure, toFailure } from '../../runtime/failure.ts'
import { handleClose } from '../../runtime/input.ts'
import { onRemoval } from '../../runtime/removed-nodes.ts'
import { noteRunning } from '../../runtime/running-nodes.ts'
import { findSpeechText } from '../../runtime/speech/speech-text.ts'
import { handleMessages, type WorkContext } from '../../runtime/work.ts'
import type { AskTools } from './ask-once.ts'
import { askQuestion } from './ask-question.ts'
import { createKeptQuestions, createQuestionStore } from './kept-questions.ts'
import { withTone } from './listening-tone.ts'
import type { Outcome } from './match-answer.ts'
import {
  type AskMessage,
  type Question,
  type QuestionSettings,
  readQuestion,
} from './read-question.ts'

interface AskDef extends NodeDef, QuestionSettings {
  service: string
}

function register(RED: NodeAPI): void {
  const userFolder = RED.settings.userDir ?? '.'
  const store = createQuestionStore(join(userFolder, 'parlando', 'questions.json'), ({ message }) =>
    RED.log.warn(RED._('ask.error.questions-not-saved', { reason: message })),
  )
  onRemoval(RED, ({ isDeleted }) => store.removeOf(isDeleted))
  const afterDeploy = new AfterDeploy(RED)

  function Ask(this: Node, config: AskDef) {
    RED.nodes.createNode(this, config)
    noteRunning(this, config)
    const makeSpeech = createSpeechMaker(RED, this, config)
    const kept = createKeptQuestions(store, this.id)
    let isClosed = false

    // Before the questions end: a deploy or a restart does not end an important one.
    handleClose(RED, this, async ({ isRemoved }) => {
      isClosed = true
      afterDeploy.leave(this, isRemoved)
    })
    afterDeploy.follow(this, () => {
      for (const message of kept.restoredMessages()) this.receive(message)
    })

    handleMessages<AskMessage>(RED, this, {
      busy: 'wait',
      service: config.service,
      takeAtOnce(message) {
        if (message.stop === true) kept.removeAll()
        else if (config.untilAnswered === true) {
          kept.keep(message, kept.restoredText(message) ?? findSpeechText(RED, message, config))
        }
        return false
      },
      ended(message) {
        if (!isClosed) kept.remove(message)
      },
      closed: () => store.flush(),
      run: async (message, context) => {
        const { signal, status, send } = context
        const knownText = kept.restoredText(message)
        const question = await readQuestion({ RED, node: this, message, signal, knownText }, config)
        if (question.everyMs !== undefined) kept.keep(message, question.text)
        const asked = { RED, node: this, message, question, makeSpeech, context }
        const outcome = await askQuestion(question, askToolsOf(asked))
        status.conclude(statusOf(RED, outcome))
        const output = writeAnswer(message, outcome, question)
        send(
          Array.from({ length: question.answers.names.length + 2 }, (_, index) =>
            index === output ? message : null,
          ),
        )
      },
    })
  }
  RED.nodes.registerType('parlando-ask', Ask)
}

interface AskParts {
  RED: NodeAPI
  node: Node
  message: AskMessage
  question: Question
  makeSpeech: MakeSpeech
  context: WorkContext<AskMessage>
}

/** What asking a question needs of the node: its service, its speech, its status and its failures. */
function askToolsOf({ RED, node, message, question, makeSpeech, context }: AskParts): AskTools {
  const { text, speakerNames, priority, volume } = question
  const { service, signal, status } = context
  const speech: SpeechOptions = {
    text,
    message,
    isAlarm: priority === 'alarm',
    onRetry: () => status.retrying(),
    onWarning() {},
    onStandIn() {},
  }
  let isFailureReported = false
  return {
    use: service.use,
    signal,
    announcement: {
      text,
      findSpeakers: () => sharedPlayback().find(speakerNames),
      priority,
      ...(volume !== undefined && { volume }),
      makeSound: (wanted, limit) => withTone(makeSpeech(speech, wanted, limit), limit),
      addressOutput: {
        check(speaker) {
          throw new NodeInputError(RED._('ask.error.another-node', { speaker }))
        },
        send() {},
      },
    },
    createId: () => RED.util.generateId(),
    onProgress: (progress) => status.working(() => RED._(`ask.status.${progress}`)),
    onVoiceFailure(error) {
      if (!isFailureReported) node.warn(toFailure(error))
      isFailureReported = true
    },
    onFailure: (error) => reportFailure(node, error, message),
    describeNoMicrophone: (speakers) =>
      RED._('ask.error.no-microphone', { speakers: speakers.map(({ name }) => name).join(', ') }),
  }
}

/** The name of the answer. The status never contains what somebody has said. */
function statusOf(RED: NodeAPI, { answer, turn }: Outcome): string {
  if (answer) return answer.name
  return RED._(`ask.port.${turn ? 'something-else' : 'nobody'}`)
}

/** Puts the outcome into the message. @returns the number of its output, counted from 0. */
function writeAnswer(
  message: AskMessage,
  { answer, by, turn }: Outcome,
  { answers: { names } }: Question,
): number {
  const facts = {
    heard: turn?.transcript ?? '',
    ...(turn?.confidence !== undefined && { confidence: turn.confidence }),
    ...(by && { by }),
  }
  if (answer) {
    const { name, sentence, value, output } = answer
    message.payload = value
    message.answer = { name, sentence, value, ...facts }
    return output
  }
  message.answer = {
    name: turn ? 'something else' : 'nobody answered',
    ...facts,
    ...(turn && { nearest: [...turn.nearest] }),
  }
  message.payload = turn?.transcript ?? ''
  return names.length + (turn ? 0 : 1)
}

export = register
