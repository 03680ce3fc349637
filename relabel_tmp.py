import json
from tests.guard.command_corpus import FOLDER, judged
n=0
for name in ('risky','harmless'):
    p=FOLDER/f'{name}.jsonl'; out=[]
    for line in p.read_text('utf-8').splitlines():
        d=json.loads(line); r=judged(d['command']).level.word
        if r!=d['risk']:
            n+=1; new=line.replace(f'"risk": "{d["risk"]}"',f'"risk": "{r}"'); assert new!=line; line=new
        out.append(line)
    p.write_text('\n'.join(out)+'\n','utf-8')
print(n)
