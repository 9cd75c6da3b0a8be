import {IntlMessageFormat} from 'intl-messageformat';
import {languages, type Language} from './languages';

export type Values = Record<string, string | number>;
export type Formatter = (values: Values) => string;

type Ast = ReturnType<IntlMessageFormat['getAst']>;

const literal = 0;
const argument = 1;

// Moves and names put into right-to-left text keep their own direction: each between first strong isolate
// and pop directional isolate.
function isolated(ast: Ast): Ast {
  return ast.flatMap((element): unknown[] => {
    if (element.type === argument)
      return [{type: literal, value: '\u2068'}, element, {type: literal, value: '\u2069'}];
    if (!('options' in element)) return [element];
    const options = Object.entries(element.options).map(([name, option]) => [
      name,
      {...option, value: isolated(option.value)},
    ]);
    return [{...element, options: Object.fromEntries(options)}];
  }) as Ast;
}

// Makes each formatter once for its options; which locale a message is in is settled by `make`.
function kept<Options, Made>(make: (options?: Options) => Made) {
  const made = new Map<string, Made>();
  return (_: unknown, options?: Options): Made => {
    const key = JSON.stringify(options ?? {});
    const found = made.get(key) ?? make(options);
    made.set(key, found);
    return found;
  };
}

function formattersOf(language: Language) {
  const {forms, numbers} = languages[language];
  return {
    getNumberFormat: kept((options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(numbers, options)),
    getDateTimeFormat: kept(
      (options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(numbers, options),
    ),
    getPluralRules: kept((options?: Intl.PluralRulesOptions) => new Intl.PluralRules(forms, options)),
  };
}

const formatters = new Map<Language, ReturnType<typeof formattersOf>>();

export function parse(message: string, language: Language): IntlMessageFormat {
  const {forms, dir} = languages[language];
  const own = formatters.get(language) ?? formattersOf(language);
  formatters.set(language, own);
  const options = {ignoreTag: true, formatters: own};
  const format = new IntlMessageFormat(message, forms, undefined, options);
  return dir === 'rtl' ? new IntlMessageFormat(isolated(format.getAst()), forms, undefined, options) : format;
}

export function compile(message: string, language: Language): Formatter {
  if (!/[{']/.test(message)) return () => message;
  const format = parse(message, language);
  return (values) => String(format.format(values));
}
