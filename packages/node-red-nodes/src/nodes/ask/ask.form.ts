import { optionalNumber, settingOf } from '../../editor/checks.ts'
import { endOfTurnField, rowsOfKind } from '../../editor/fields/conditional-rows.ts'
import { linesNote } from '../../editor/fields/field-note.ts'
import { recogniserField } from '../../editor/fields/recogniser-field.ts'
import { speechDefaults, speechFields } from '../../editor/fields/speech-fields.ts'
import { keepWires } from '../../editor/keep-wires.ts'
import { stopButton } from '../../editor/node-buttons.ts'
import { type FormNode, nodeForm } from '../../editor/node-form.ts'
import { sharedText } from '../../editor/red.ts'
import { chosenService } from '../../editor/service-settings.ts'
import {
  type AnswerSettings,
  type AnswersProblem,
  answerNames,
  readOwnAnswers,
} from './own-answers.ts'

const number = optionalNumber({ min: 0, max: 9999 })

export const askForm = nodeForm({
  hasOwnOutputs: true,
  defaults: {
    speaker: {
      value: '',
      type: 'parlando-speaker',
      required: false,
      filter: ({ kind }) => kind !== 'another-node',
    },
    text: speechDefaults.text,
    textType: speechDefaults.textType,
    answers: { value: 'yes-no', required: true },
    ownAnswers: { value: '', validate: checkOwnAnswers },
    from: { value: '', validate: number },
    to: { value: '', validate: number },
    untilAnswered: { value: false },
    everySeconds: { value: '', validate: optionalNumber({ min: 1, max: 86_400 }) },
    waitSeconds: { value: '', validate: optionalNumber({ min: 1, max: 60 }) },
    endOfTurn: { value: 'normal', required: true },
    silenceMs: { value: '', validate: optionalNumber({ min: 20, max: 5000 }) },
    priority: { value: 'normal', required: true },
    volume: { value: '', validate: optionalNumber({ min: 0, max: 100, isInteger: false }) },
    voice: speechDefaults.voice,
    model: speechDefaults.model,
    language: speechDefaults.language,
    recogniser: { value: '' },
    mcpAccess: { value: '', type: 'parlando-mcp-access', required: false },
    outputs: { value: 4 },
  },
  paletteLabel: 'ask',
  button: stopButton,
  inputPort: 'ask.port.question',
  outputPorts() {
    return [...answerNames(this), 'ask.port.something-else', 'ask.port.nobody']
  },
  oneditprepare() {
    speechFields()
    rowsOfKind('#node-input-answers')
    linesNote($('#node-input-ownAnswers'), describeAnswers)
    // A question has no recording whose end somebody waits for.
    $('#node-input-endOfTurn option[value=recording]').remove()
    endOfTurnField()
    recogniserField('#node-input-recogniser', chosenService)
    outputField(this)
  },
})

/** The answers matter only if the node has answers of its own. */
function checkOwnAnswers(
  this: FormNode<{ answers: string }>,
  value: unknown,
  _options: unknown,
): true | string {
  if (settingOf(this, 'answers') !== 'own') return true
  const { problem } = readOwnAnswers(value)
  return problem ? problemText(problem) : true
}

function describeAnswers(lines: string) {
  const { answers, problem } = readOwnAnswers(lines)
  if (problem) return { words: problemText(problem), isProblem: lines.trim() !== '' }
  return {
    words: sharedText('sentences.count', { count: answers.possible!.length }),
    isProblem: false,
  }
}

function problemText({ problem, ...values }: AnswersProblem): string {
  return sharedText(`sentences.${problem}`, values as Record<string, string | number>)
}

/** Gives the node an output for each answer of its open form. */
function outputField(node: AnswerSettings): void {
  const outputsOf = (settings: AnswerSettings) => [...answerNames(settings), '\nelse', '\nnobody']
  keepWires(outputsOf(node), ['#node-input-answers', '#node-input-ownAnswers'], () =>
    outputsOf({
      answers: $('#node-input-answers').val(),
      ownAnswers: $('#node-input-ownAnswers').val(),
    }),
  )
}
