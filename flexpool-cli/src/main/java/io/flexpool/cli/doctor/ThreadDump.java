// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a JVM at one moment. Reads the formats of {@code jstack} and {@code jcmd Thread.print}, of
 * {@code jcmd Thread.dump_to_file} (text and JSON, with virtual threads), and of Spring's actuator (text and JSON).
 *
 * @param at the time of the dump; null if unknown
 */
record ThreadDump(@Nullable LocalDateTime at, List<DumpedThread> threads) {
    static final String TITLE = "Full thread dump";

    private static final Pattern PRINTED =
            Pattern.compile("\\s*\"(?<name>.*)\"(?: #\\d+.*| - Thread t@\\d+.*| (?:daemon |prio=|tid=|os_prio=).*|)");
    private static final Pattern WRITTEN = Pattern.compile("#\\d+ \"(?<name>.*)\"(?<rest>.*)");
    private static final Pattern STATE = Pattern.compile("\\s*java\\.lang\\.Thread\\.State: (?<state>[A-Z_]+).*");
    private static final Pattern FRAME = Pattern.compile("\\s+(?:at )?(?<call>[^\\s(]+)\\((?<place>[^)]*)\\).*");
    private static final Pattern LOCK = Pattern.compile(
            "\\s+- (?<what>locked|waiting to lock|waiting on|parking to wait for|waiting to re-lock in wait\\(\\))\\s+<(?<address>[^>]+)>.*");
    private static final Pattern ADDRESS = Pattern.compile(" tid=0x(?<id>[0-9a-f]{1,16}) ");
    private static final int HEX = 16;
    /** The address in the name of a hidden class: {@code LambdaForm$MH/0x000000009f08c000.invoke}. */
    private static final Pattern HIDDEN = Pattern.compile("/0x[0-9a-f]+");

    private static final Pattern TIME = Pattern.compile("(?<time>\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}).*");

    /** The name of the JVM's thread that ends waits of virtual threads; it exists if virtual threads run. */
    private static final String OF_VIRTUAL = "VirtualThread-un";

    /** Whether virtual threads run, but the dump lacks their stacks, as all dumps of jstack and Thread.print do. */
    boolean lacksVirtualThreads() {
        return threads.stream().anyMatch(each -> each.name().startsWith(OF_VIRTUAL))
                && threads.stream().flatMap(each -> each.stack().stream()).noneMatch(ThreadDump::isVirtual);
    }

    /** Adds the virtual threads of a dump that was taken right after this one. */
    ThreadDump withVirtualThreadsOf(ThreadDump written) {
        List<DumpedThread> all = new ArrayList<>(threads);
        // Without this thread lacksVirtualThreads() is false: now the dump is complete, even if no virtual thread runs.
        all.removeIf(each -> each.name().startsWith(OF_VIRTUAL));
        written.threads.stream()
                .filter(each -> each.stack().stream().anyMatch(ThreadDump::isVirtual))
                .forEach(all::add);
        return new ThreadDump(at, List.copyOf(all));
    }

    /** Whether a frame is the first of a virtual thread. */
    private static boolean isVirtual(StackTraceElement frame) {
        return frame.getClassName().equals("java.lang.VirtualThread")
                && frame.getMethodName().equals("run");
    }

    /** Whether a text contains thread dumps. */
    static boolean isText(String text) {
        return text.contains(TITLE)
                || Pattern.compile("(?m)^\"[^\"\\n]+\" (?:#\\d+|daemon |prio=|- Thread t@)")
                        .matcher(text)
                        .find()
                || Pattern.compile("(?m)^#\\d+ \"[^\\n]*\"[^\\n]*\\n\\s+(?:at )?\\S+\\(")
                        .matcher(text)
                        .find();
    }

    /** All dumps of a text, in order; ignores other lines. */
    static List<ThreadDump> ofText(String text) {
        List<ThreadDump> dumps = new ArrayList<>();
        List<DumpedThread> threads = new ArrayList<>();
        LocalDateTime at = null;
        LocalDateTime next = null;
        Current current = null;
        for (String line : text.split("\\R", -1)) {
            Matcher time = TIME.matcher(line);
            Matcher printed = PRINTED.matcher(line);
            Matcher written = WRITTEN.matcher(line);
            if (line.contains(TITLE)) {
                current = end(current, threads);
                if (!threads.isEmpty()) {
                    dumps.add(new ThreadDump(at, List.copyOf(threads)));
                    threads.clear();
                }
                at = next;
            } else if (time.matches()) {
                next = time(time.group("time"));
                at = threads.isEmpty() && current == null ? next : at;
            } else if (printed.matches() || written.matches()) {
                end(current, threads);
                current = printed.matches() ? new Current(printed.group("name")) : new Current(written.group("name"));
                Matcher address = ADDRESS.matcher(line);
                current.id = address.find() ? Long.parseUnsignedLong(address.group("id"), HEX) : 0;
                if (!printed.matches()) {
                    current.state(written.group("rest"));
                }
            } else if (current != null) {
                current.line(line);
            }
        }
        end(current, threads);
        if (!threads.isEmpty()) {
            dumps.add(new ThreadDump(at, List.copyOf(threads)));
        }
        return dumps;
    }

    private static @Nullable Current end(@Nullable Current current, List<DumpedThread> threads) {
        if (current != null) {
            threads.add(current.thread());
        }
        return null;
    }

    static @Nullable LocalDateTime time(String text) {
        try {
            return LocalDateTime.parse(text.replace(' ', 'T'));
        } catch (DateTimeParseException none) {
            return null;
        }
    }

    /** The thread whose lines are being read. */
    private static final class Current {
        private final String name;
        private final List<StackTraceElement> stack = new ArrayList<>();
        private final Set<String> owns = new LinkedHashSet<>();
        private Thread.State state = Thread.State.RUNNABLE;
        private @Nullable String waitsFor;
        private long id;

        Current(String name) {
            this.name = name;
        }

        void state(String text) {
            for (Thread.State each : Thread.State.values()) {
                if (text.matches(".*\\b" + each + "\\b.*")) {
                    state = each;
                }
            }
        }

        void line(String line) {
            Matcher stated = STATE.matcher(line);
            Matcher lock = LOCK.matcher(line);
            Matcher frame = FRAME.matcher(line);
            if (stated.matches()) {
                state(stated.group("state"));
            } else if (lock.matches()) {
                if (lock.group("what").equals("locked")) {
                    owns.add(lock.group("address"));
                } else if (waitsFor == null && stack.size() <= 3) {
                    waitsFor = lock.group("address");
                }
            } else if (line.strip().startsWith("- <")) {
                owns.add(line.strip().replaceFirst("^- <([^>]+)>.*", "$1"));
            } else if (frame.matches()) {
                StackTraceElement element = frame(frame.group("call"), frame.group("place"));
                if (element != null) {
                    stack.add(element);
                }
            }
        }

        DumpedThread thread() {
            // A thread in Object.wait has released the lock on which it waits.
            owns.remove(waitsFor);
            return new DumpedThread(name, state, List.copyOf(stack), waitsFor, Set.copyOf(owns), id);
        }
    }

    /**
     * Parses a frame, for example {@code app//shop.Orders.find(Orders.java:12)} or {@code
     * java.base@17/java.lang.Thread.run(Thread.java:840)}.
     */
    static @Nullable StackTraceElement frame(String call, String place) {
        String visible = HIDDEN.matcher(call).replaceAll("");
        String method = visible.substring(visible.lastIndexOf('/') + 1);
        int dot = method.lastIndexOf('.');
        if (dot <= 0) {
            return null;
        }
        String where = place.substring(place.lastIndexOf('/') + 1);
        int colon = where.lastIndexOf(':');
        String digits = colon < 0 ? "" : where.substring(colon + 1);
        int line = digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : -1;
        return new StackTraceElement(
                method.substring(0, dot),
                method.substring(dot + 1),
                colon < 0 ? where : where.substring(0, colon),
                line);
    }

    /** Reads a JSON document; null if it is no dump. */
    static @Nullable ThreadDump ofJson(JsonNode root) {
        List<DumpedThread> threads = new ArrayList<>();
        JsonNode containers = root.at("/threadDump/threadContainers");
        for (JsonNode container : containers) {
            container.path("threads").forEach(thread -> threads.add(written(thread)));
        }
        if (containers.isMissingNode()) {
            root.path("threads").forEach(thread -> {
                if (thread.has("stackTrace")) {
                    threads.add(ofActuator(thread));
                }
            });
        }
        String time = root.at("/threadDump/time").asText("");
        return threads.isEmpty()
                ? null
                : new ThreadDump(time.length() < 19 ? null : time(time.substring(0, 19)), List.copyOf(threads));
    }

    private static DumpedThread written(JsonNode thread) {
        Current current = new Current(thread.path("name").asText());
        current.state(thread.path("state").asText("RUNNABLE"));
        for (JsonNode each : thread.path("stack")) {
            current.line(" " + each.asText());
        }
        for (String key : List.of("blockedOn", "waitingOn")) {
            current.waitsFor = thread.path(key).asText(current.waitsFor);
        }
        current.waitsFor = thread.at("/parkBlocker/object").asText(current.waitsFor);
        thread.path("monitorsOwned")
                .forEach(each -> each.path("locks").forEach(lock -> current.owns.add(lock.asText())));
        return current.thread();
    }

    private static DumpedThread ofActuator(JsonNode thread) {
        Current current = new Current(thread.path("threadName").asText());
        current.state(thread.path("threadState").asText("RUNNABLE"));
        for (JsonNode each : thread.path("stackTrace")) {
            current.stack.add(new StackTraceElement(
                    each.path("className").asText(),
                    each.path("methodName").asText(),
                    each.path("fileName").asText("Unknown Source"),
                    each.path("lineNumber").asInt(-1)));
        }
        String waits = identity(thread.path("lockInfo"));
        current.waitsFor = waits;
        thread.path("lockedMonitors").forEach(lock -> add(current.owns, identity(lock)));
        thread.path("lockedSynchronizers").forEach(lock -> add(current.owns, identity(lock)));
        return current.thread();
    }

    private static void add(Set<String> owns, @Nullable String lock) {
        if (lock != null) {
            owns.add(lock);
        }
    }

    private static @Nullable String identity(JsonNode lock) {
        return lock.hasNonNull("identityHashCode")
                ? lock.path("className").asText() + "@"
                        + lock.path("identityHashCode").asText()
                : null;
    }
}
