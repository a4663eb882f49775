import { Link } from 'wouter'
import classes from './SectionMenu.module.css'

type Props = { label: string; sections: readonly { path: string; label: string }[]; here: string }

/** The parts of a page, each with an address of its own; `here` is the one that is shown. */
export function SectionMenu({ label, sections, here }: Props) {
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
        </Link>
      ))}
    </nav>
  )
}
