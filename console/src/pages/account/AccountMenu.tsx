import { Link } from 'wouter'
import classes from './AccountMenu.module.css'
import type { Section } from './sections.ts'

/** The parts of the account, each with an address of its own. */
export function AccountMenu({ sections, here }: { sections: Section[]; here: string }) {
  return (
    <nav aria-label="Account" className={classes.menu}>
      {sections.map(({ path, label }) => (
        <Link key={path} href={path} className={classes.item} aria-current={path === here ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
