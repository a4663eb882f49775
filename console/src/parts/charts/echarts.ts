import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendPlainComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([BarChart, LineChart, GridComponent, TooltipComponent, LegendPlainComponent, AriaComponent, SVGRenderer])

/** What is used of the library; naming the whole of it would ship the whole of it. */
export const echarts = { init }
