import { Link } from 'wouter'
import classes from './SectionMenu.module.css'

type Props = { label: string; sections: readonly { path: string; label: string }[]; here: string }

/** The parts of a page, each with an address of its own; `here` is the one that is shown. */
export function SectionMenu({ label, sections: places, here }: Props) {
  return (
    <nav aria-label={label} className={classes.menu}>
      {places.map((place) => (
        <Link
          key={place.path}
          href={place.path}
          className={classes.item}
          aria-current={place.path === here ? 'page' : undefined}
        >
          {place.label}
        </Link>
      ))}
    </nav>
  )
}
