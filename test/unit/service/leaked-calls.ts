/** A call of `read_file` in the form of each family, as public reports show it (vLLM, SGLang, llama.cpp, cline, Kilo). */
export const calls: Record<string, string> = {
  'DeepSeek V4':
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  'DeepSeek V4, plain bars':
    '<|DSML|tool_calls>\n<|DSML|invoke name="read_file">\n</|DSML|invoke>\n</|DSML|tool_calls>',
  'DeepSeek V4, double bars':
    '<｜｜DSML｜｜tool_calls><｜｜DSML｜｜invoke name="read_file"></｜｜DSML｜｜invoke></｜｜DSML｜｜tool_calls>',
  'DeepSeek V4, other bars': '<‖DSML‖tool_calls><‖DSML‖invoke name="read_file"></‖DSML‖invoke></‖DSML‖tool_calls>',
  'DeepSeek V3.2':
    '<｜DSML｜function_calls><｜DSML｜invoke name="read_file"></｜DSML｜invoke></｜DSML｜function_calls>',
  'DeepSeek, no section':
    '<｜DSML｜invoke name="read_file"><｜DSML｜parameter name="path">a</｜DSML｜parameter></｜DSML｜invoke>',
  'DeepSeek V3':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  'DeepSeek V3.1':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  Hermes: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>',
  'Hermes, one line': '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>',
  GLM: '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>',
  'GLM, one line': '<tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>',
  'GLM, no arguments': '<tool_call>read_file</arg_value></tool_call>',
  'Qwen coder': '<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  'Qwen coder, lone closer': '<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  MiniMax:
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
  'MiniMax, lone closer':
    '<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
  'MiniMax M3':
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  Kimi: '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>',
  'Kimi, no section':
    '<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|>',
  'DeepSeek V4.1, a blank behind the bars':
    '<｜DSML｜ calls>\n<｜DSML｜ invoke name="read_file">\n<｜DSML｜ parameter name="path" string="true">a</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>',
  'DeepSeek V4.1, its end behind it':
    '<｜DSML｜ calls><｜DSML｜ invoke name="read_file"></｜DSML｜ invoke></｜DSML｜ calls>',
  'DeepSeek V4.1, no section':
    '<｜DSML｜ invoke name="read_file"> <｜DSML｜ parameter name="path">a</｜DSML｜ parameter> </｜DSML｜ invoke>',
  'Kimi K3, whole':
    '<|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  'Kimi K3, arguments as JSON':
    '<|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>json type="object"<|sep|>{"path":"a"}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  'Kimi K3, no section':
    '<|open|>call tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|>',
  'GLM 5.3 Flash': '<tool_call>read_file>{"path":"a"}</tool_call>',
  'Kimi K3': '<|open|>tools<|sep|>{"name":"read_file","arguments":{}}<|close|>tools',
  harmony: '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a"}<|call|>',
  'harmony with its start':
    '<|start|>assistant<|channel|>commentary to=functions.read_file<|message|>{"path":"a"}<|call|>',
};
/** The same, of forms that have no end. */
export const endless: Record<string, string> = {
  Mistral: '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a"}}]',
  'Mistral, new': '[TOOL_CALLS]read_file[ARGS]{"path": "a"}',
  'Kimi K3, broken': '<|open|>tools<|sep|><|open|>call tool="read_file" path a',
  'a form that nobody knows': '<|begin_action|>{"do": "read_file", "with": {"path": "a"}}<|end_action|>',
  'a form that nobody knows, with wide bars': "<｜action｜ tool='read_file'｜><｜path｜>a<｜/action｜>",
  'cut off': '<tool_call>{"name":"read_file","argum',
};
/**
 * The forms of the served families as parsers and tests of public servers and agents had them in 2026 (vLLM, SGLang,
 * llama.cpp and others), with what goes wrong in them, and one of each family beside them.
 */
export const further: Record<string, string> = {
  'DSML, attributes in any order': `<｜DSML｜tool_calls><｜DSML｜invoke name = "read_file"><｜DSML｜parameter string = "true" name = "path">a</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>`,
  'DSML, single quotes': `<|DSML|function_calls ><|DSML|invoke name='read_file'><|DSML|parameter name='path' string='true'>a</|DSML|parameter></|DSML|invoke></|DSML|function_calls>`,
  'DSML, typographic quotes': `<｜DSML｜toolcalls> <｜DSML｜ invoke name=“read_file”> <｜DSML｜ parameter name=“path” string=“true”>a</｜DSML｜ parameter> </｜DSML｜ invoke> </｜DSML｜tool_calls>`,
  'DSML, another section': `<｜DSML｜tool><｜DSML｜invoke name="read_file"><｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>`,
  'DSML, bars apart': `< | | DSML | | invoke name="read_file">< | | DSML | | parameter name="path" string="true">a</ | | DSML | | parameter></ | | DSML | | invoke></ | | DSML | | calls>`,
  'DSML, zero width signs': `<｜\u200b｜DSML\u200b｜｜ invoke name="read_file">\n<｜｜DSML\u200b｜｜ parameter name="path" string="true">a</｜｜DSML｜｜ parameter>\n</｜｜DSML｜｜ invoke>`,
  'DSML, no end of a parameter': `<｜DSML｜invoke name="read_file"><｜DSML｜parameter name="path" string="true">a<｜DSML｜parameter name="x" string="false">2</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>`,
  'DeepSeek, invoke within bars': `<｜tool▁calls▁begin｜>\n<｜invoke name="read_file"｜>\n<｜parameter name="path" string="true">a</｜parameter｜>\n<｜/invoke｜>\n<｜tool▁calls▁end｜>`,
  'DeepSeek, bare pipes': `<｜invoke name="read_file"｜>\n<｜parameter name="path" string="true">a</｜parameter｜>\n<｜/invoke｜>`,
  'DSML, namespace': `<｜DSML｜ calls><｜DSML｜ invoke name="files::read_file"><｜DSML｜ parameter name="path" string="true">a</｜DSML｜ parameter></｜DSML｜ invoke></｜DSML｜ calls>`,
  'DSML, broken within': `<｜DSML｜ calls>\n<｜DSML｜ invoke name="read_file"><path>a</path></｜DSML｜ parameter>`,
  'name and JSON alone': `I look at it.\nread_file{"path":"a"}`,
  'GLM, a second opener for a key (getsigit/sigit#95)': `<tool_call>read_file<tool_call>path</arg_key><arg_value>a</arg_value></tool_call>`,
  'GLM, many closers (zai-org/GLM-5#84)': `<tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value>\n</tool_call></tool_call>\n</tool_call></tool_call></tool_call>`,
  'GLM, arguments alone (zai-org/GLM-5#84)': `<arg_key>path</arg_key><arg_value>a</arg_value>\n</tool_call><tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value>\n</tool_call>`,
  'GLM, tool_name (zai-org/GLM-5#84)': `<tool_name>read_file</tool_name><arg_key>path</arg_key><arg_value>a</arg_value>`,
  'Kimi K3, toolscall (can1357/oh-my-pi#8495)': `<|open|>toolscall tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|><|close|>toolsmessage<|sep|>`,
  'Kimi K3, toolscall cut (can1357/oh-my-pi#8495)': `<|open|>toolscall tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>src/rendererargument<|sep|><|close|>call<|sep|><|close|>toolstoolsmessage<|sep|>`,
  'Kimi K3, in a word (can1357/oh-my-pi#8495)': `Lint passesresponse<|sep|><|open|>toolscall tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|>`,
  'Kimi K3, entity': `<|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a&amp;b<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>`,
  'Kimi K2, singular section': `<|tool_call_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_call_section_end|>`,
  'Qwen, no end of a parameter': `<tool_call>\n<function=read_file>\n<parameter=path>\na\n</function>\n</tool_call>`,
  'Qwen, function with name': `<tool_call>\n<function name="read_file">\n<parameter name="path">\na\n</parameter>\n</function>\n</tool_call>`,
  'Qwen, missing bracket': `<tool_call>\n<function=read_file\n<parameter=path\na\n</parameter>\n</function>\n</tool_call>`,
  'Qwen, tools': `<tools>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tools>`,
  'Qwen, function_call': `<function_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</function_call>`,
  'Qwen, doubled braces': `<tool_call>\n{{"name": "read_file", "arguments": {"path": "a"}}}\n</tool_call>`,
  'Qwen-Agent': `✿FUNCTION✿: read_file\n✿ARGS✿: {"path": "a"}\n✿RESULT✿`,
  Seed: `<seed:tool_call>\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call>`,
  'Gemma 4': `<|tool_call>call:read_file{path:<|"|>a<|"|>}<tool_call|>`,
  'Command R7B': `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "a"}}]<|END_ACTION|>`,
  Nemotron: `<TOOLCALL>[{"name": "read_file", "arguments": {"path": "a"}}]</TOOLCALL>`,
  Apertus: `<|tools_prefix|>[{"read_file": {"path": "a"}}]<|tools_suffix|>`,
  'Phi 4': `functools[{"name": "read_file", "arguments": {"path": "a"}}]`,
  LFM2: `<|tool_call_start|>[read_file(path="a")]<|tool_call_end|>`,
  Hunyuan: '<tool_calls><tool_call>read_file\n```json\n{"path":"a"}\n```</tool_call></tool_calls>',
  'Llama 4': `[read_file(path="a")]`,
  Granite: `<|tool_call|>[{"name": "read_file", "arguments": {"path": "a"}}]`,
};
