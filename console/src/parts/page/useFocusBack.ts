import { type RefObject, useEffect, useRef } from 'react'

/** The control that opened something, or had the focus then: it gets the focus when that is closed, which else falls to the page. */
export function useFocusBack<E extends HTMLElement = HTMLButtonElement>(isOpen: boolean): RefObject<E | null> {
  const opener = useRef<E | null>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return opener
}
