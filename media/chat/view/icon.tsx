/** Our own line drawings on a 16 × 16 grid; `currentColor`, so every theme and forced colours work. */
const shapes = {
  add: 'M8 3v10M3 8h10',
  alert: 'M8 2.2 14.3 13.3H1.7ZM8 6.3v3.4M8 11.3v.4',
  chat: 'M2.5 3.5h11v7.5h-6L4.500 13.500V11h-2Z',
  check: 'M3 8.600 6.300 12 13 4.500',
  'chevron-down': 'M4 6 8 10.500 12 6',
  'chevron-up': 'M4 10 8 5.500 12 10',
  chevron: 'M6 3.500 10.500 8 6 12.500',
  circle: 'M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3Z',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.500 5.500h8v8h-8ZM10.500 5.500v-3h-8v8h3',
  down: 'M8 3v9.500M4 8.800 8 12.800 12 8.800',
  edit: 'M10.800 2.800 13.200 5.200 5.700 12.700 2.700 13.300 3.300 10.300Z',
  error: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2ZM8 5v4M8 10.700v.4',
  file: 'M4 2h5l3 3v9H4ZM9 2v3h3',
  folder: 'M2 4h4l1.500 1.500H14v7.500H2Z',
  image: 'M2.500 3h11v10h-11ZM3 11l3.200-3.500 2.300 2.500 2-2 3 3',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2ZM8 7.200v4M8 4.800v.4',
  insert: 'M2 3h12M2 13h12M2 8h7M7 5.700 9.300 8 7 10.300',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  restore: 'M3 3.500v3.500h3.500M3.300 7a5 5 0 1 1-.3 2.300M8 5.500V8.300L10 9.500',
  search: 'M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 1 0 0-9ZM10.300 10.300 14 14',
  send: 'M8 13.500v-10.500M3.800 7.200 8 3 12.200 7.200',
  spinner: 'M8 2a6 6 0 1 1-6 6',
  stop: 'M4 4h8v8H4Z',
  swap: 'M3 5.500h9.500M10 3l2.500 2.500L10 8M13 10.500H3.500M6 8l-2.500 2.500L6 13',
  symbol:
    'M6 2.500C4 2.500 4.500 6 4 7c-.3.700-1.500 1-1.500 1s1.200.300 1.500 1c.500 1-.001 4.500 2 4.500M10 2.500c2 0 1.500 3.500 2 4.500.300.700 1.500 1 1.500 1s-1.200.300-1.500 1c-.500 1 .001 4.500-2 4.500',
  terminal: 'M2 3h12v10H2ZM4.500 6l2 2-2 2M8 10.500h3',
  tool: 'M9.600 6.400 3.300 12.700M8.700 3.500a3 3 0 0 1 4-.8L10.900 4.500l.6.600 1.900-1.700a3 3 0 0 1-4.200 3.500',
  undo: 'M3.500 6h6a3.500 3.500 0 0 1 0 7H6M6.300 3 3.300 6l3 3',
  wrap: 'M2 4h12M2 8h9.500a2 2 0 0 1 0 4H8M9.800 10 7.800 12l2 2M2 12h3',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={name === 'spinner' ? 'icon spin' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
