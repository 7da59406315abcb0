import { expandSentences, type SentencesProblem } from '../shared/command-sentences.ts'
import { listenOutputs } from '../shared/listen-outputs.ts'
import { settingOf } from './checks.ts'
import { sharedText } from './texts.ts'

/** A validator for the sentences of a *listen* node, which matter only if its output is one of them. */
export function listenSentences(
  this: { id: string; output?: string },
  value: unknown,
  _options: unknown,
): true | string {
  if (settingOf(this, 'output') !== 'sentences') return true
  const { problem } = expandSentences(String(value ?? '')) as { problem?: SentencesProblem }
  return problem ? textOf(problem) : true
}

/** Below the sentences: how many they are, or what is wrong with them. */
export function sentencesField(selector: string): void {
  const field = $(selector)
  const note = $('<div class="parlando-note" id="parlando-sentences-note" role="status"></div>')
  field.attr('aria-describedby', 'parlando-sentences-note').after(note)
  const show = () => {
    const expanded = expandSentences(String(field.val()))
    const isProblem = expanded.sentences === undefined
    note.toggleClass('parlando-problem', isProblem && String(field.val()).trim() !== '')
    note.text(
      isProblem
        ? textOf(expanded.problem)
        : sharedText('sentences.count', { count: expanded.sentences.length }),
    )
  }
  field.on('input', show)
  show()
}

/** Gives a *listen* node the outputs that its open form asks for. Wires stay at the output to which they belong. */
export function listenOutputFields(node: {
  output?: string
  interim?: boolean
  speech?: boolean
}): void {
  const before = listenOutputs(node)
  // The editor reads the outputs from a field with this name: the new place of each earlier one; -1 if it is gone.
  const places = $('<input type="hidden" id="node-input-outputs">').insertAfter(
    '#node-input-output',
  )
  const fields = $('#node-input-output, #node-input-interim, #node-input-speech')
  const update = () => {
    const after = listenOutputs({
      output: $('#node-input-output').val(),
      interim: $('#node-input-interim').prop('checked'),
      speech: $('#node-input-speech').prop('checked'),
    })
    const kept = before.map((name, place) => [place, after.indexOf(name)])
    const added = after.filter((name) => !before.includes(name)).map((name) => [name, name])
    places.val(JSON.stringify(Object.fromEntries([...kept, ...added])))
  }
  fields.on('change', update)
  update()
}

/** The outputs of a node, for the labels of its ports. */
export { listenOutputs }

function textOf({ problem, ...values }: SentencesProblem): string {
  return sharedText(`sentences.${problem}`, values as Record<string, string | number>)
}
