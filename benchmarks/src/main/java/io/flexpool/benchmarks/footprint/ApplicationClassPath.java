// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * This JVM's class path as an application has it that uses one pool: of flexpool's adapters only HikariCP's can be found.
 * Each further one would be made by every build, and would load its pool's classes.
 */
final class ApplicationClassPath implements Closeable {
    private static final String ADAPTERS = "META-INF/services/io.flexpool.adapter.PoolAdapterProvider";
    private static final String WANTED = "hikaricp";

    private final List<String> entries = new ArrayList<>();
    private final List<Path> copies = new ArrayList<>();

    /**
     * Made from a class path.
     *
     * @param classPath as on the command line
     * @throws IOException if an entry cannot be read or copied
     */
    ApplicationClassPath(String classPath) throws IOException {
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                add(path, adapters(path));
            } else if (Files.isRegularFile(path)) {
                try (FileSystem jar = FileSystems.newFileSystem(path)) {
                    add(path, adapters(jar.getPath("/")));
                }
            }
        }
    }

    private static @Nullable List<String> adapters(Path root) throws IOException {
        Path file = root.resolve(ADAPTERS);
        return Files.exists(file) ? Files.readAllLines(file) : null;
    }

    private void add(Path path, @Nullable List<String> adapters) throws IOException {
        List<String> wanted = adapters == null
                ? List.of()
                : adapters.stream().filter(name -> name.contains(WANTED)).toList();
        if (adapters == null || wanted.size() == adapters.size()) {
            entries.add(path.toString());
        } else if (!wanted.isEmpty()) {
            entries.add(copy(path, wanted).toString());
        }
    }

    /** The jar of all modules, with fewer adapters to be found. */
    private Path copy(Path jar, List<String> adapters) throws IOException {
        Path copy = Files.createTempFile("flexpool-footprint-", ".jar");
        copies.add(copy);
        Files.write(copy, Files.readAllBytes(jar));
        try (FileSystem inside = FileSystems.newFileSystem(copy)) {
            Files.write(inside.getPath(ADAPTERS), adapters);
        }
        return copy;
    }

    @Override
    public String toString() {
        return String.join(File.pathSeparator, entries);
    }

    @Override
    public void close() throws IOException {
        for (Path copy : copies) {
            Files.deleteIfExists(copy);
        }
    }
}
