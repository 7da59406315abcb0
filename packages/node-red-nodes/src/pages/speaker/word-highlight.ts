import type { Saying } from '../speaker-client.ts'
import { createWordFinder, type TextRange } from './word-places.ts'

/** The name of the highlight in the style sheet of the page. */
const highlightName = 'said'

/**
 * Marks the word of a text that is heard, and scrolls to it. The document does not change, so screen readers read the text only
 * once. Browsers without custom highlights (Chrome before 105, Safari before 17.2, Firefox before 140) mark nothing.
 * @param element contains only the text.
 * @returns a function that follows a text while it is said; without one, nothing is marked.
 */
export function createWordHighlight(element: HTMLElement): (saying: Saying | undefined) => void {
  if (typeof Highlight === 'undefined' || !CSS.highlights) return () => {}
  const highlight = new Highlight()
  CSS.highlights.set(highlightName, highlight)
  let frame = 0

  const mark = ({ start, end }: TextRange) => {
    const { firstChild } = element
    if (!firstChild) return
    const range = document.createRange()
    range.setStart(firstChild, start)
    range.setEnd(firstChild, end)
    highlight.clear()
    highlight.add(range)
    scrollTo(range)
  }
  const scrollTo = (range: Range) => {
    const word = range.getBoundingClientRect()
    const box = element.getBoundingClientRect()
    if (word.top >= box.top && word.bottom <= box.bottom) return
    element.scrollTop += word.top - box.top - box.height / 3
  }
  return (saying) => {
    cancelAnimationFrame(frame)
    highlight.clear()
    if (!saying) return
    const find = createWordFinder(element.textContent ?? '')
    let next = 0
    const follow = () => {
      const { words, positionSeconds } = saying
      let place: TextRange | undefined
      for (let word = words[next]; word && word.startSeconds <= positionSeconds; ) {
        place = find(word.text) ?? place
        next += 1
        word = words[next]
      }
      if (place) mark(place)
      frame = requestAnimationFrame(follow)
    }
    follow()
  }
}
