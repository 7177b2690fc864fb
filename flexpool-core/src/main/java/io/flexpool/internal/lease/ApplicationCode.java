// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.internal.shared.FrameworkPackages;
import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes the application's classes from the classes between it and its pool, and from its callers. In this
 * order:
 *
 * <ol>
 *   <li>flexpool's own, generated and user-ignored classes are between.
 *   <li>Classes of the application's packages are the application's: packages that the user or a framework names, and
 *       the package of the main class, unless it is a launcher's.
 *   <li>Classes of the JDK's loaders are not the application's.
 *   <li>Classes compiled into a directory are the application's ({@code target/classes}, {@code BOOT-INF/classes},
 *       {@code WEB-INF/classes}), like the jar of {@code java -jar}. This rule does not apply if flexpool is in the
 *       same place, with all other classes.
 *   <li>Known packages of frameworks, containers, pools and drivers are between.
 *   <li>A class of the same organisation as the application's packages ({@code com.acme}) is the application's.
 *   <li>All other classes are unknown: a call site if no near caller is the application's.
 * </ol>
 *
 * <p>The layer of each class is computed once and cached by name; no class is retained. Thread-safe.
 */
final class ApplicationCode {
    enum Layer {
        APPLICATION,
        UNKNOWN,
        BETWEEN
    }

    private static final int MOST_CLASSES = 4096;

    private static final String JAR = ".jar";
    /** Second parts of package names that many organisations share: one organisation's packages share three parts. */
    private static final Set<String> HOSTS = Set.of("github", "gitlab", "bitbucket", "sourceforge", "googlecode");

    /** flexpool's own place, and in a single jar the place of all classes. */
    private static final @Nullable String OURS = sourceOf(ApplicationCode.class);

    private final List<String> packages;
    private final List<String> organisations = new ArrayList<>();
    private final String[] ignored;
    private final @Nullable String launched;
    private final Map<String, Layer> layers = new ConcurrentHashMap<>();

    private ApplicationCode(List<String> packages, List<String> ignored, @Nullable String launched) {
        this.packages = List.copyOf(packages);
        this.ignored = ignored.toArray(new String[0]);
        this.launched = launched;
        for (String name : packages) {
            organisations.add(organisation(name));
        }
    }

    /**
     * The application of this JVM.
     *
     * @param packages names of its packages, with or without a dot at the end
     * @param ignored beginnings of the names of classes that are no call site
     */
    static ApplicationCode of(List<String> packages, List<String> ignored) {
        return of(packages, ignored, System.getProperty("sun.java.command", ""));
    }

    /** As above, with the command that started the JVM: a class, {@code module/class} or a jar, and arguments. */
    static ApplicationCode of(List<String> packages, List<String> ignored, String command) {
        List<String> all = new ArrayList<>();
        for (String name : packages) {
            all.add(name.endsWith(".") ? name.substring(0, name.length() - 1) : name);
        }
        int blank = command.indexOf(' ');
        String started = blank < 0 ? command : command.substring(0, blank);
        String last = started.substring(started.lastIndexOf('/') + 1);
        if (last.endsWith(JAR)) {
            return new ApplicationCode(all, ignored, '/' + last);
        }
        int end = last.lastIndexOf('.');
        if (end > 0 && !FrameworkPackages.knows(last)) {
            all.add(last.substring(0, end));
        }
        return new ApplicationCode(all, ignored, null);
    }

    /** The layer of a frame of a walker that keeps class references, or of a {@link RequestTrace}. */
    Layer layer(StackFrame frame) {
        String name = frame.getClassName();
        Layer known = layers.get(name);
        if (known != null) {
            return known;
        }
        Class<?> type = frame.getDeclaringClass();
        Layer found = layer(name, type);
        if (type != null && layers.size() < MOST_CLASSES) {
            layers.put(name, found);
        }
        return found;
    }

    private Layer layer(String name, @Nullable Class<?> type) {
        if (isGenerated(name)
                || FrameworkPackages.isOfFlexpool(name)
                || FrameworkPackages.startsWithAny(ignored, name)) {
            return Layer.BETWEEN;
        }
        if (isIn(packages, name)) {
            return Layer.APPLICATION;
        }
        if (type != null) {
            ClassLoader loader = type.getClassLoader();
            if (loader == null || loader == ClassLoader.getPlatformClassLoader()) {
                return Layer.BETWEEN;
            }
            if (isCompiledByTheUser(type)) {
                return Layer.APPLICATION;
            }
        }
        if (FrameworkPackages.knows(name)) {
            return Layer.BETWEEN;
        }
        return isIn(organisations, name) ? Layer.APPLICATION : Layer.UNKNOWN;
    }

    /** Proxies and accessors of Spring, Hibernate, Javassist and the JDK. */
    private static boolean isGenerated(String className) {
        return className.contains("$$") || className.contains("$Proxy");
    }

    private static boolean isIn(List<String> packages, String className) {
        for (String name : packages) {
            if (className.startsWith(name)
                    && (className.length() == name.length() || className.charAt(name.length()) == '.')) {
                return true;
            }
        }
        return false;
    }

    private static String organisation(String name) {
        String[] parts = name.split("\\.");
        int shared = parts.length > 2 && HOSTS.contains(parts[1]) ? 3 : 2;
        return String.join(".", List.of(parts).subList(0, Math.min(shared, parts.length)));
    }

    private boolean isCompiledByTheUser(Class<?> type) {
        String source = sourceOf(type);
        return source != null
                && !source.equals(OURS)
                && (isDirectory(source) || (launched != null && source.endsWith(launched)));
    }

    /** The URL from which a class was loaded, without the marks of a jar at its end; null if unknown. */
    private static @Nullable String sourceOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return null;
        }
        String location = source.getLocation().toString();
        return location.endsWith("!/") ? location.substring(0, location.length() - 2) : location;
    }

    /** Some containers write a slash behind jars too. */
    private static boolean isDirectory(String source) {
        return source.endsWith("/classes") || (source.endsWith("/") && !source.endsWith(JAR + '/'));
    }
}
