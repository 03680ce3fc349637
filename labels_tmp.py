import json
from tests.guard.command_corpus import corpus, judged
for name in ('risky','harmless'):
    for one in corpus(name):
        r=judged(one.command)
        if r.level.word!=one.risk: print(name, one.risk,'->',r.level.word, repr(one.command), r.reasons[:1], r.rule)
