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

export function parse(message: string, language: Language): IntlMessageFormat {
  return new IntlMessageFormat(message, [...languages[language].locales], undefined, {ignoreTag: true});
}

export function compile(message: string, language: Language): Formatter {
  if (!/[{']/.test(message)) return () => message;
  let format = parse(message, language);
  if (languages[language].dir === 'rtl')
    format = new IntlMessageFormat(isolated(format.getAst()), [...languages[language].locales]);
  return (values) => String(format.format(values));
}
