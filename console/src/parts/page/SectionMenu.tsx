import { Link } from 'wouter'
import classes from './SectionMenu.module.css'
import { WaitBadge } from './waiting/WaitBadge.tsx'
import type { Wait } from './waiting/waits.ts'

type Props = {
  label: string
  sections: readonly { path: string; label: string }[]
  here: string
  /** What waits in a section, by its address. */
  waits?: ReadonlyMap<string, Wait>
}

/** The parts of a page, each with an address of its own; `here` is the one that is shown. */
export function SectionMenu({ label, sections, here, waits }: Props) {
  return (
    <nav aria-label={label} className={classes.menu}>
      {sections.map((section) => (
        <Link
          key={section.path}
          href={section.path}
          className={classes.item}
          aria-current={section.path === here ? 'page' : undefined}
        >
          {section.label}
          {/* The number of a whole page stands in the menu of the pages. */}
          {section.path !== sections[0]?.path && <WaitBadge of={waits?.get(section.path)} />}
        </Link>
      ))}
    </nav>
  )
}
