#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the logs in ../resources/hikaricp again: RecordHikariLog with versions of HikariCP, then with layouts of logging libraries.
# Needs Maven and a JDK 17; keeps the lines that a reader looks for, with the names of threads as they were.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$here/../resources/hikaricp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

get() { mvn -q dependency:copy -Dartifact="$1" -DoutputDirectory="$2"; }
for base in org.slf4j:slf4j-api:2.0.20 com.h2database:h2:2.4.240 org.javassist:javassist:3.30.2-GA; do get "$base" base; done
for log in ch.qos.logback:logback-classic:1.5.27 ch.qos.logback:logback-core:1.5.27; do get "$log" logback; done

record() { # name, version of HikariCP, further class path, options
  mkdir -p "classes-$2"
  javac -nowarn -cp "hikari/HikariCP-$2.jar:base/*" -d "classes-$2" "$here/RecordHikariLog.java"
  java -Dcom.zaxxer.hikari.housekeeping.periodMs=400 -Dcom.zaxxer.hikari.housekeeping.period=400 --add-opens java.base/java.lang=ALL-UNNAMED \
    "${@:4}" -cp "classes-$2:hikari/HikariCP-$2.jar:base/*:$3" RecordHikariLog "$2" 2>&1 | grep -E 'total=|timed out after|order not placed|Timeout after' >"$out/$1.log"
}

for version in 2.0.1 2.3.13 2.4.0 2.4.7 2.7.9 4.0.3 5.0.1 5.1.0 6.3.3 7.1.0; do
  get "com.zaxxer:HikariCP:$version" hikari
  record "$version" "$version" "logback/*" -Dlogback.configurationFile="$here/spring-boot-layout.xml"
done

encoder() { # name, class of a logback encoder
  cat >"$1.xml" <<XML
<configuration><appender name="c" class="ch.qos.logback.core.ConsoleAppender"><encoder class="$2"/></appender>
<logger name="com.zaxxer.hikari" level="DEBUG"/><root level="INFO"><appender-ref ref="c"/></root></configuration>
XML
  record "$1" 7.1.0 "logback/*:$1/*" -Dlogback.configurationFile="$1.xml"
}
for jar in net.logstash.logback:logstash-logback-encoder:8.1 com.fasterxml.jackson.core:jackson-databind:2.21.0 \
  com.fasterxml.jackson.core:jackson-core:2.21.0 com.fasterxml.jackson.core:jackson-annotations:2.21; do get "$jar" logstash; done
encoder logstash net.logstash.logback.encoder.LogstashEncoder
for jar in co.elastic.logging:logback-ecs-encoder:1.7.0 co.elastic.logging:ecs-logging-core:1.7.0; do get "$jar" ecs; done
encoder ecs co.elastic.logging.logback.EcsEncoder

for jar in api core slf4j2-impl; do get "org.apache.logging.log4j:log4j-$jar:2.25.2" log4j2; done
cat >log4j2.xml <<'XML'
<Configuration><Appenders><Console name="c"><PatternLayout disableAnsi="false" pattern="%d{HH:mm:ss} %highlight{%-5p} %c{1} %highlight{%m}%n%throwable"/></Console></Appenders>
<Loggers><Logger name="com.zaxxer.hikari" level="debug"/><Root level="info"><AppenderRef ref="c"/></Root></Loggers></Configuration>
XML
record log4j2-highlight 7.1.0 "log4j2/*" -Dlog4j2.configurationFile=log4j2.xml
