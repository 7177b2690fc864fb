// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A Java installation that can run this program.
 *
 * @param path the folder that contains {@code bin/java}
 */
public record JavaHome(Path path) {
    private static final int LEAST = 17;

    /**
     * The installation that runs this JVM.
     *
     * @return its home
     */
    public static JavaHome own() {
        return new JavaHome(Path.of(System.getProperty("java.home")));
    }

    /** What starts a JVM. */
    Path launcher() {
        return path.resolve("bin").resolve("java");
    }

    /** The folder, as it is given on the command line. */
    @Override
    public String toString() {
        return path.toString();
    }

    /** Accepts only a folder with a Java that is new enough: a run of an hour must not end in "cannot start". */
    public static final class Converter implements ITypeConverter<JavaHome> {
        private static final String RULE = "' must be the home of a Java installation, " + LEAST + " or newer; ";

        @Override
        public JavaHome convert(String value) {
            try {
                JavaHome home = new JavaHome(Path.of(value).toAbsolutePath().normalize());
                if (!Files.isExecutable(home.launcher())) {
                    throw new TypeConversionException("'" + value + RULE + "it has no bin/java" + nearest(home.path()));
                }
                String version = version(home.path());
                if (isTooOld(version)) {
                    throw new TypeConversionException("'" + value + RULE + "it is " + version);
                }
                // One installation under two names is one.
                return new JavaHome(home.path().toRealPath());
            } catch (InvalidPathException | IOException e) {
                throw new TypeConversionException("'" + value + RULE + "it cannot be read: " + e.getMessage());
            }
        }

        /** A folder beside it with almost that name. */
        private static String nearest(Path path) throws IOException {
            Path parent = path.getParent();
            if (parent == null || path.getFileName() == null || !Files.isDirectory(parent)) {
                return "";
            }
            try (Stream<Path> siblings = Files.list(parent)) {
                List<String> names = siblings.map(
                                sibling -> sibling.getFileName().toString())
                        .filter(name -> Files.isExecutable(new JavaHome(parent.resolve(name)).launcher()))
                        .toList();
                return Nearest.words(path.getFileName().toString(), names);
            }
        }

        /** As the installation's own file says it; empty where it has no such file, and the JVM itself will say it. */
        private static String version(Path path) throws IOException {
            Path release = path.resolve("release");
            if (!Files.isReadable(release)) {
                return "";
            }
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(release)) {
                properties.load(reader);
            }
            return properties.getProperty("JAVA_VERSION", "").replace("\"", "");
        }

        /** Java 8 calls itself 1.8. */
        private static boolean isTooOld(String version) {
            String feature = version.split("[^0-9]", 2)[0];
            return !feature.isEmpty() && feature.length() < 4 && Integer.parseInt(feature) < LEAST;
        }
    }
}
