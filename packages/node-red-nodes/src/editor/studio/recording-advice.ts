import { studioText } from '../red.ts'
import { secondsText } from './elements.ts'
import { flawsOf, type RecordingFacts } from './measure-recording.ts'

/** Shows what a complete recording is like, and what would make it better. */
export function describeRecording(note: JQuery<HTMLElement>, facts: RecordingFacts): void {
  const flaws = flawsOf(facts, true)
  const figures = studioText('record.figures', {
    seconds: secondsText(facts.seconds),
    speech: Math.round(facts.speechDb),
    noise: Math.round(facts.noiseDb),
  })
  const advice = flaws.length === 0 ? ['good'] : flaws
  const lines = advice.map((flaw) =>
    $('<div></div>')
      .addClass(flaw === 'good' ? 'parlando-success' : 'parlando-problem')
      .text(studioText(`advice.${flaw}`)),
  )
  note.empty().append(...lines, $('<small></small>').text(figures))
}
