from tests.guard.test_rule_files import SCOPE
from copilot.guard.rule_files import built_in
from copilot.guard.command_risk import judge_command
for rule in built_in().allows:
    for c in rule.allow:
        r=judge_command(c,SCOPE)
        if r.level>rule.risk: print('ALLOW',rule.id,repr(c),r.level.word,r.reasons[:1],r.rule)
    for c in rule.hold:
        r=judge_command(c,SCOPE)
        if r.level.word not in('high','forbidden'): print('HOLD',rule.id,repr(c),r.level.word,r.rule)
for rule in built_in().raises:
    for c in rule.hold:
        r=judge_command(c,SCOPE)
        if r.level<rule.risk: print('RAISE',rule.id,repr(c),r.level.word,r.rule)
