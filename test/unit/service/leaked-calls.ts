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
