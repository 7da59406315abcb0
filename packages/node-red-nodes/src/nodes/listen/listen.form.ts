import { optionalNumber, settingOf } from '../../editor/checks.ts'
import { endOfTurnField, rowsOfKind } from '../../editor/fields/conditional-rows.ts'
import { linesNote } from '../../editor/fields/field-note.ts'
import { languageField } from '../../editor/fields/language-field.ts'
import { recogniserField } from '../../editor/fields/recogniser-field.ts'
import { keepWires } from '../../editor/keep-wires.ts'
import { stopButton } from '../../editor/node-buttons.ts'
import { type FormNode, nodeForm } from '../../editor/node-form.ts'
import { sharedText } from '../../editor/red.ts'
import { chosenService } from '../../editor/service-settings.ts'
import { expandSentences, type SentencesProblem } from '../../recognition/command-sentences.ts'
import { type ListenOutputSettings, listenOutputs } from './listen-outputs.ts'

export const listenForm = nodeForm({
  defaults: {
    output: { value: 'text', required: true },
    sentences: { value: '', validate: checkSentences },
    language: { value: '' },
    model: { value: '' },
    expectedWords: { value: '' },
    endOfTurn: { value: 'normal', required: true },
    silenceMs: { value: '', validate: optionalNumber({ min: 20, max: 5000 }) },
    interim: { value: false },
    speech: { value: false },
    busy: { value: 'wait', required: true },
    outputs: { value: 1 },
  },
  paletteLabel: 'listen',
  button: stopButton,
  inputPort: 'listen.port.audio',
  outputPorts() {
    return listenOutputs(this).map(
      (output) => `listen.port.${output === 'text' ? this.output : output}`,
    )
  },
  oneditprepare() {
    rowsOfKind('#node-input-output')
    linesNote($('#node-input-sentences'), describeSentences)
    languageField('#node-input-language')
    recogniserField('#node-input-model', chosenService)
    outputFields(this)
    endOfTurnField()
  },
})

/** The sentences matter only if the output is one of them. */
function checkSentences(
  this: FormNode<{ output: string }>,
  value: unknown,
  _options: unknown,
): true | string {
  if (settingOf(this, 'output') !== 'sentences') return true
  const { problem } = expandSentences(String(value ?? ''))
  return problem ? sentencesProblemText(problem) : true
}

function describeSentences(lines: string) {
  const { sentences, problem } = expandSentences(lines)
  if (problem) return { words: sentencesProblemText(problem), isProblem: lines.trim() !== '' }
  return { words: sharedText('sentences.count', { count: sentences.length }), isProblem: false }
}

function sentencesProblemText({ problem, ...values }: SentencesProblem): string {
  return sharedText(`sentences.${problem}`, values as Record<string, string | number>)
}

/** Gives the node the outputs that its open form asks for. */
function outputFields(node: ListenOutputSettings): void {
  const fields = ['#node-input-output', '#node-input-interim', '#node-input-speech'] as const
  keepWires(listenOutputs(node), fields, () =>
    listenOutputs({
      output: $('#node-input-output').val(),
      interim: $('#node-input-interim').prop('checked'),
      speech: $('#node-input-speech').prop('checked'),
    }),
  )
}
